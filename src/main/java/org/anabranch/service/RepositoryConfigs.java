package org.anabranch.service;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.versioning.refs.Repository;

/** Reads and replaces the configuration objects that clients keep in the repository. Safe from many threads. */
public final class RepositoryConfigs {

    private final Repository repository;

    public RepositoryConfigs(Repository repository) {
        this.repository = repository;
    }

    /**
     * Reads configuration objects.
     *
     * @return JSON by type; types without an object are absent
     */
    public SortedMap<String, String> read(Collection<String> types) {
        SortedMap<String, String> found = new TreeMap<>(repository.configs());
        found.keySet().retainAll(types);
        return found;
    }

    /**
     * Replaces the object of a type as a whole.
     *
     * @param json the new object
     * @return the object before; empty if there was none
     * @throws org.anabranch.model.RefusedException 409 if somebody else changed the configuration at the same time
     */
    public Optional<String> replace(String type, String json) {
        return repository.replaceConfig(type, json);
    }
}
