package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;

/**
 * A page of references.
 *
 * @param references branches by name, then tags by name; read while the answer is written
 */
@JsonPropertyOrder({"references", "next"})
public record ReferencesResponse(
        Iterator<ReferenceBody> references, @JsonUnwrapped NextPage next) {}
