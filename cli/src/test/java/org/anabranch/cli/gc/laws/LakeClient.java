package org.anabranch.cli.gc.laws;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.nessie.NessieCatalog;
import org.apache.iceberg.nessie.NessieIcebergClient;
import org.projectnessie.client.NessieClientBuilder;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.error.NessieConflictException;
import org.projectnessie.error.NessieNotFoundException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.Content;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.EntriesResponse.Entry;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Reference.ReferenceType;

/** A catalog's API and Iceberg's catalog on top of it, with the files on the local disk. */
final class LakeClient implements AutoCloseable {

    private final NessieApiV2 api;
    private final Path warehouse;

    LakeClient(URI uri, Path warehouse) {
        this.api = NessieClientBuilder.createClientBuilderFromSystemSettings()
                .withUri(uri)
                .build(NessieApiV2.class);
        this.warehouse = warehouse;
    }

    NessieApiV2 api() {
        return api;
    }

    Path warehouse() {
        return warehouse;
    }

    /** Iceberg's catalog at the head of a branch. It needs no closing: what it holds is this client's. */
    NessieCatalog at(String branch) {
        NessieCatalog catalog = new NessieCatalog();
        catalog.initialize(
                "lake",
                new NessieIcebergClient(api, branch, null, Map.of()),
                new LocalFiles(),
                Map.of(CatalogProperties.WAREHOUSE_LOCATION, "file:" + warehouse));
        return catalog;
    }

    /** All branches and tags, by name. */
    List<Reference> references() throws NessieNotFoundException {
        return api.getAllReferences().stream()
                .sorted(Comparator.comparing(Reference::getName))
                .toList();
    }

    /** The names of all branches, or of all tags. */
    List<String> names(ReferenceType type) throws NessieNotFoundException {
        List<String> names = new ArrayList<>();
        for (Reference reference : references()) {
            if (reference.getType() == type) {
                names.add(reference.getName());
            }
        }
        return names;
    }

    Reference reference(String name) throws NessieNotFoundException {
        return api.getReference().refName(name).get();
    }

    /** The entries of a type at the head of a branch or tag, with their contents, by key. */
    List<Entry> entries(String reference, Content.Type type) throws NessieNotFoundException {
        return api.getEntries().refName(reference).withContent(true).stream()
                .filter(entry -> entry.getType().equals(type))
                .toList();
    }

    /** Commits one content, as a client does that knows nothing of Iceberg's catalog. */
    void put(String branch, ContentKey key, Content content) throws NessieNotFoundException, NessieConflictException {
        api.commitMultipleOperations()
                .branch((Branch) reference(branch))
                .commitMeta(CommitMeta.fromMessage("put " + key))
                .operation(Operation.Put.of(key, content))
                .commit();
    }

    @Override
    public void close() {
        api.close();
    }
}
