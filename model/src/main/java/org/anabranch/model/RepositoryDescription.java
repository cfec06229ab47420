package org.anabranch.model;

import java.time.Instant;

/**
 * What clients may know of a repository as a whole.
 *
 * @param oldestCommitAt no commit is older
 */
public record RepositoryDescription(String defaultBranch, Instant createdAt, Instant oldestCommitAt) {}
