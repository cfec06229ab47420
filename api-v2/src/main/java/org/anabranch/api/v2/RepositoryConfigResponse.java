package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** The stored settings of the types asked for; the field is left out when there are none. */
public record RepositoryConfigResponse(
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RepositoryConfig> configs) {}
