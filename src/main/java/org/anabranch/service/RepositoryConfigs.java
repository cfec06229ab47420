package org.anabranch.service;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
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
     * @throws RefusedException 403 if the caller may not read them
     */
    public SortedMap<String, String> read(Collection<String> types, Access access) {
        access.require(Question.ofRepository(Check.READ_REPOSITORY_CONFIG));
        SortedMap<String, String> found = new TreeMap<>(repository.configs());
        found.keySet().retainAll(types);
        return found;
    }

    /**
     * Replaces the object of a type as a whole.
     *
     * @param json the new object
     * @return the object before; empty if there was none
     * @throws RefusedException 403 if the caller may not replace it, or not read the object before; 409 if somebody else changed
     *     the configuration at the same time
     */
    public Optional<String> replace(String type, String json, Access access) {
        access.require(
                Question.ofRepository(Check.UPDATE_REPOSITORY_CONFIG),
                Question.ofRepository(Check.READ_REPOSITORY_CONFIG));
        return repository.replaceConfig(type, json);
    }
}
