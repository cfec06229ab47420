package org.anabranch.wiring;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Says in the framework's properties what {@code anabranch.log.format} says in ours. */
public final class LogSettings implements ConfigSourceFactory {

    /** Over the defaults of the service, and below what an operator gives. */
    private static final int ORDINAL = 255;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue format = context.getValue("anabranch.log.format");
        return format != null && "json".equalsIgnoreCase(format.getValue())
                ? List.of(new PropertiesConfigSource(
                        Map.of("quarkus.log.console.json.enabled", "true", "quarkus.log.file.json.enabled", "true"),
                        "anabranch.log",
                        ORDINAL))
                : List.of();
    }
}
