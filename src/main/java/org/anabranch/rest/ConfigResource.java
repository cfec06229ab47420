package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Set;
import org.anabranch.api.v2.ConfigApi;
import org.anabranch.api.v2.GarbageCollectorConfig;
import org.anabranch.api.v2.RepositoryConfig;
import org.anabranch.api.v2.RepositoryConfigResponse;
import org.anabranch.api.v2.ServerConfig;
import org.anabranch.api.v2.UpdateRepositoryConfigBody;
import org.anabranch.api.v2.UpdateRepositoryConfigResponse;
import org.anabranch.model.CommitId;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RepositoryDescription;
import org.anabranch.service.GetConfig;
import org.anabranch.service.RepositoryConfigs;
import org.jspecify.annotations.Nullable;

/** What clients must know of the server, and the settings they keep in the repository. */
public final class ConfigResource implements ConfigApi {

    private static final int API_VERSION = 2;

    /**
     * Below what is served. Clients compare it with the version they are set to: at 2, one that is set to 1 blames its
     * age; at 1 it goes on to compare what this address serves, and tells its user to check the address.
     */
    private static final int LOWEST_CLIENT_VERSION = 1;

    private static final String SPEC_VERSION = "2.2.0";

    /** {@code UNKNOWN} is what clients call a kind that they do not know themselves; nothing is stored under it. */
    private static final Set<String> TYPES = Set.of(GarbageCollectorConfig.TYPE, "UNKNOWN");

    private final GetConfig getConfig;
    private final RepositoryConfigs repositoryConfigs;
    private final Caller caller;
    private final Audit audit;
    private final ObjectMapper mapper;

    ConfigResource(
            GetConfig getConfig, RepositoryConfigs repositoryConfigs, Caller caller, Audit audit, ObjectMapper mapper) {
        this.getConfig = getConfig;
        this.repositoryConfigs = repositoryConfigs;
        this.caller = caller;
        this.audit = audit;
        this.mapper = mapper;
    }

    @Override
    public ServerConfig serverConfig() {
        RepositoryDescription repository = getConfig.get();
        return new ServerConfig(
                repository.defaultBranch(),
                LOWEST_CLIENT_VERSION,
                API_VERSION,
                API_VERSION,
                SPEC_VERSION,
                CommitId.NO_ANCESTOR,
                repository.createdAt(),
                repository.oldestCommitAt());
    }

    @Override
    public RepositoryConfigResponse repositoryConfigs(UriInfo query) {
        List<String> types = Parameters.all("type", query);
        for (String type : types) {
            if (!TYPES.contains(type)) {
                throw RefusedException.badRequest(
                        "type: '" + type + "' is no kind of settings; give " + GarbageCollectorConfig.TYPE);
            }
        }
        return new RepositoryConfigResponse(repositoryConfigs.read(types, caller.access()).values().stream()
                .map(this::read)
                .toList());
    }

    @Override
    public UpdateRepositoryConfigResponse updateRepositoryConfig(@Nullable UpdateRepositoryConfigBody body) {
        RepositoryConfig config = Parameters.requiredBody("config", body).config();
        String type =
                switch (config) {
                    case GarbageCollectorConfig collector -> GarbageCollectorConfig.TYPE;
                };
        return new UpdateRepositoryConfigResponse(audit.write(
                        new Audit.Write("update-config", null, List.of()),
                        () -> repositoryConfigs.replace(type, write(config), caller.access()),
                        previous -> new Audit.Ending("", List.of(), AuditEntry.Effect.done(null, null)))
                .map(this::read)
                .orElse(null));
    }

    private RepositoryConfig read(String json) {
        try {
            return mapper.readValue(json, RepositoryConfig.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Stored settings cannot be read", e);
        }
    }

    private String write(RepositoryConfig config) {
        try {
            return mapper.writerFor(RepositoryConfig.class).writeValueAsString(config);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Settings cannot be written", e);
        }
    }
}
