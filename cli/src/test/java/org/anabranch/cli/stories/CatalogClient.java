package org.anabranch.cli.stories;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.projectnessie.client.NessieClientBuilder;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.error.NessieConflictException;
import org.projectnessie.error.NessieNotFoundException;
import org.projectnessie.error.NessieReferenceConflictException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.CommitResponse;
import org.projectnessie.model.Content;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.Operation;

/** A Nessie client, and the few phrases that the stories repeat. */
final class CatalogClient implements AutoCloseable {

    /** Makes names differ from those of an earlier run on the same service. */
    private static final String RUN = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final NessieApiV2 api;

    CatalogClient(URI uri) {
        this(uri, null);
    }

    /** @param tls whom to believe and what to show; null for what the JDK believes */
    CatalogClient(URI uri, SSLContext tls) {
        NessieClientBuilder builder =
                NessieClientBuilder.createClientBuilderFromSystemSettings().withUri(uri);
        if (tls != null) {
            builder = builder.withSSLContext(tls);
        }
        api = builder.build(NessieApiV2.class);
    }

    NessieApiV2 api() {
        return api;
    }

    /** A name that no reference has. */
    static String newName(String prefix) {
        return prefix + "-" + RUN + "-" + NAMES.incrementAndGet();
    }

    /** A table whose metadata file is named after a version. */
    static IcebergTable table(int version) {
        return IcebergTable.of("file:///warehouse/v" + version + ".metadata.json", version, 0, 0, 0);
    }

    /** A new branch without commits. */
    Branch emptyBranch(String prefix) throws NessieNotFoundException, NessieConflictException {
        return branch(prefix, Branch.of("ignored", api.getConfig().getNoAncestorHash()));
    }

    /** A new branch at the commit of another. */
    Branch branch(String prefix, Branch at) throws NessieNotFoundException, NessieConflictException {
        return (Branch) api.createReference()
                .sourceRefName(api.getConfig().getDefaultBranch())
                .reference(Branch.of(newName(prefix), at.getHash()))
                .create();
    }

    /** Where a branch is now. */
    Branch head(Branch branch) throws NessieNotFoundException {
        return (Branch) api.getReference().refName(branch.getName()).get();
    }

    /** Commits with the given state of the branch as the expected one; returns the new state. */
    Branch commit(Branch expected, String message, Operation... operations)
            throws NessieNotFoundException, NessieConflictException {
        return commitForResponse(expected, message, operations).getTargetBranch();
    }

    CommitResponse commitForResponse(Branch expected, String message, Operation... operations)
            throws NessieNotFoundException, NessieConflictException {
        return api.commitMultipleOperations()
                .branch(expected)
                .commitMeta(CommitMeta.fromMessage(message))
                .operations(List.of(operations))
                .commitWithResponse();
    }

    /** The content of a key that is there. */
    Content content(Branch branch, ContentKey key) throws NessieNotFoundException {
        return api.getContent().reference(branch).getSingle(key).getContent();
    }

    /** All messages of a branch's first-parent line, youngest first. */
    List<String> messages(Branch branch) throws NessieNotFoundException {
        return api.getCommitLog().refName(branch.getName()).stream()
                .map(entry -> entry.getCommitMeta().getMessage())
                .toList();
    }

    /** The conflicts of a refusal, each as {@code TYPE key}; {@code TYPE -} without a key. */
    static List<String> conflicts(NessieReferenceConflictException refusal) {
        return refusal.getErrorDetails().conflicts().stream()
                .map(conflict -> conflict.conflictType() + " " + (conflict.key() == null ? "-" : conflict.key()))
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        api.close();
    }
}
