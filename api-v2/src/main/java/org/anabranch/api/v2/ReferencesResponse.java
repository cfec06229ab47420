package org.anabranch.api.v2;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of references: branches by name, then tags by name. The token is null iff there is no further page. */
public record ReferencesResponse(@Nullable String token, List<ReferenceBody> references, boolean hasMore) {}
