package org.anabranch.cli.stories;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.nessie.NessieCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Iceberg's Nessie catalog on a running service, each test on a branch of its own. */
class NessieCatalogContractIT extends CatalogContract<NessieCatalog> {

    @RegisterExtension
    static final RunningService SERVICE = new RunningService();

    private final Lake lake = new Lake(SERVICE.api(), SERVICE.folder().resolve("warehouse"));
    private final List<NessieCatalog> opened = new CopyOnWriteArrayList<>();
    private String branch;
    private NessieCatalog catalog;

    @BeforeEach
    void open() throws Exception {
        try (CatalogClient client = new CatalogClient(SERVICE.api())) {
            branch = client.emptyBranch("contract").getName();
        }
        catalog = anotherClient();
    }

    @AfterEach
    void close() throws Exception {
        for (NessieCatalog each : opened) {
            each.close();
        }
    }

    @Override
    NessieCatalog catalog() {
        return catalog;
    }

    @Override
    NessieCatalog anotherClient() {
        NessieCatalog another = lake.at(branch);
        opened.add(another);
        return another;
    }
}
