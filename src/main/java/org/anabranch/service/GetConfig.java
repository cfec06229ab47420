package org.anabranch.service;

import org.anabranch.model.RepositoryDescription;
import org.anabranch.versioning.refs.Repository;

/** Tells clients what they must know of the repository. Safe from many threads. */
public final class GetConfig {

    private final Repository repository;

    public GetConfig(Repository repository) {
        this.repository = repository;
    }

    public RepositoryDescription get() {
        return repository.describe();
    }
}
