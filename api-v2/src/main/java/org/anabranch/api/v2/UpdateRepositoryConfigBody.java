package org.anabranch.api.v2;

import org.anabranch.model.Checks;

/** Body that stores a set of settings in place of the stored one of its type. */
public record UpdateRepositoryConfigBody(RepositoryConfig config) {

    public UpdateRepositoryConfigBody {
        Checks.required("config", config);
    }
}
