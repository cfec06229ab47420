package org.anabranch.api.v2;

/** Body that stores a set of settings in place of the stored one of its type. */
public record UpdateRepositoryConfigBody(RepositoryConfig config) {

    public UpdateRepositoryConfigBody {
        Fields.required("config", config);
    }
}
