package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.anabranch.model.Checks;
import org.anabranch.model.HashSpec;
import org.anabranch.model.ListedReference;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.jspecify.annotations.Nullable;

/**
 * A branch, a tag or a detached commit in JSON.
 *
 * @param name null iff detached
 * @param hash in requests a hash with or without steps, or null; in answers the full hash
 * @param metadata only in answers, and only where asked for and known
 */
public record ReferenceBody(
        Type type,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String name,
        @Nullable String hash,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ReferenceMetadataBody metadata) {

    /** The kinds of reference, the stored ones and the detached commit. */
    public enum Type {
        BRANCH,
        TAG,
        DETACHED
    }

    /** Reads a request's reference, whose metadata does not count. */
    @JsonCreator
    static ReferenceBody read(
            @JsonProperty("type") Type type,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("hash") @Nullable String hash) {
        Checks.required("type", type);
        if (type != Type.DETACHED) {
            Fields.referenceName("name", name);
        }
        Fields.hashSpec("hash", hash);
        return new ReferenceBody(type, type == Type.DETACHED ? null : name, hash, null);
    }

    /** The JSON form of a reference, without metadata. */
    public static ReferenceBody of(Reference reference) {
        return reference instanceof Reference.Named named
                ? of(named, null)
                : new ReferenceBody(Type.DETACHED, null, reference.hash().toString(), null);
    }

    /** The JSON form of a branch or tag with what is known of it. */
    public static ReferenceBody of(ListedReference listed) {
        return of(listed.reference(), listed.metadata() == null ? null : ReferenceMetadataBody.of(listed.metadata()));
    }

    private static ReferenceBody of(Reference.Named reference, @Nullable ReferenceMetadataBody metadata) {
        return new ReferenceBody(
                reference.kind() == ReferenceKind.BRANCH ? Type.BRANCH : Type.TAG,
                reference.name(),
                reference.hash().toString(),
                metadata);
    }

    /** The commit that a request names by this, which may be none. */
    public RefSpec toRefSpec() {
        HashSpec commit = Fields.hashSpec("hash", hash);
        return new RefSpec(name, commit == null ? HashSpec.HEAD : commit);
    }
}
