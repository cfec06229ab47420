package org.anabranch.api.v2;

import org.jspecify.annotations.Nullable;

/** The settings that were replaced; null if there were none. */
public record UpdateRepositoryConfigResponse(@Nullable RepositoryConfig previous) {}
