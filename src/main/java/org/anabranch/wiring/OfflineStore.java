package org.anabranch.wiring;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesConfigSource;
import java.util.Map;
import org.anabranch.store.Store;
import org.anabranch.store.embedded.EmbeddedStore;

/** What a command works on without a service: the store that options and properties name. */
record OfflineStore(AnabranchConfig config) {

    /** Stronger than the properties of the Java machine. */
    private static final int STRONGEST = 1_000;

    static OfflineStore of(Map<String, String> options) {
        return new OfflineStore(ConfigUtils.configBuilder()
                .withSources(new PropertiesConfigSource(options, "options", STRONGEST))
                .withMapping(AnabranchConfig.class)
                .build()
                .getConfigMapping(AnabranchConfig.class));
    }

    /**
     * Opens it, to be closed by the caller.
     *
     * @throws CommandFailedException if there is none
     */
    Store open() {
        refuseMemory("ask that service, with --service");
        if (config.store().type() == AnabranchConfig.Store.Type.EMBEDDED
                && !EmbeddedStore.isIn(config.store().path())) {
            throw new CommandFailedException(
                    "there is no store in " + config.store().path() + ": name its folder with --data", null);
        }
        return Engine.open(config, Traces.OFF);
    }

    /**
     * Opens it, to be closed by the caller, and makes one where there is none.
     *
     * @throws CommandFailedException if it cannot outlive this process
     */
    Store create() {
        refuseMemory("choose --store embedded or postgresql");
        return Engine.open(config, Traces.OFF);
    }

    private void refuseMemory(String remedy) {
        if (config.store().type() == AnabranchConfig.Store.Type.MEMORY) {
            throw new CommandFailedException(
                    "anabranch.store.type is 'memory', and what is in memory ends with its process: " + remedy, null);
        }
    }
}
