package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * A page of the keys that differ between two commits.
 *
 * @param diffs in key order; read while the answer is written
 */
@JsonPropertyOrder({"effectiveFromReference", "effectiveToReference", "diffs", "next"})
public record DiffResponse(
        ReferenceBody effectiveFromReference,
        ReferenceBody effectiveToReference,
        Iterator<DiffEntry> diffs,
        @JsonUnwrapped NextPage next) {

    /** What a key holds on either side; null where it holds nothing. */
    public record DiffEntry(
            ContentKey key,
            @Nullable Content from,
            @Nullable Content to) {}
}
