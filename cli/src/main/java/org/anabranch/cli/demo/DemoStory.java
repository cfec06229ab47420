package org.anabranch.cli.demo;

import static org.anabranch.cli.lake.Lake.append;
import static org.anabranch.cli.lake.Lake.ids;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.nessie.NessieCatalog;
import org.projectnessie.client.NessieClientBuilder;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.MergeResponse;
import org.projectnessie.model.Reference;

/**
 * An ETL run on a branch: isolated while it works, published in one step, and the readers' view of it all.
 *
 * <p>Told once, on a service whose default branch is {@code main} and empty.
 */
final class DemoStory {

    private static final Namespace SHOP = Namespace.of("shop");
    private static final TableIdentifier ORDERS = TableIdentifier.of(SHOP, "orders");
    private static final TableIdentifier ITEMS = TableIdentifier.of(SHOP, "items");

    private final URI uri;
    private final Path warehouse;
    private final Lake lake;
    private final Narration narration;

    DemoStory(URI uri, Path warehouse, Narration narration) {
        this.uri = uri;
        this.warehouse = warehouse;
        this.lake = new Lake(uri, warehouse);
        this.narration = narration;
    }

    void tell() throws Exception {
        try (NessieApiV2 api = NessieClientBuilder.createClientBuilderFromSystemSettings()
                        .withUri(uri)
                        .build(NessieApiV2.class);
                NessieCatalog main = lake.at("main")) {
            createTables(main);
            Branch beforeEtl = branch(api, "main");
            runEtl(api, main);
            publish(api, main, beforeEtl);
            travelInTime(main, beforeEtl);
            tidyUpOnBranch(api, main);
            race(main);
            new CollectionAct(api, uri, lake, warehouse, narration).tell(SHOP, ORDERS);
            narration.step("What happened, as a graph");
            narration.draw(graph(api));
        }
    }

    private void createTables(NessieCatalog main) {
        narration.step("Two Iceberg tables on branch main, through Iceberg's own Nessie catalog");
        main.createNamespace(SHOP);
        append(main.createTable(ORDERS, Lake.ROWS), 1, 2, 3);
        append(main.createTable(ITEMS, Lake.ROWS), 10, 20);
        narration.claim(
                "rows written as Parquet come back: shop.orders has 1, 2, 3 and shop.items has 10, 20",
                rows(List.of(1L, 2L, 3L), List.of(10L, 20L)),
                rows(main));
    }

    private void runEtl(NessieApiV2 api, NessieCatalog main) throws Exception {
        narration.step("An ETL run works on its own branch, etl");
        api.createReference()
                .sourceRefName("main")
                .reference(Branch.of("etl", branch(api, "main").getHash()))
                .create();
        try (NessieCatalog etl = lake.at("etl")) {
            append(etl.loadTable(ORDERS), 4, 5);
            append(etl.loadTable(ITEMS), 30);
            append(etl.loadTable(ORDERS), 6);
            narration.claim(
                    "the run sees its three appends",
                    rows(List.of(1L, 2L, 3L, 4L, 5L, 6L), List.of(10L, 20L, 30L)),
                    rows(etl));
        }
        narration.claim(
                "readers of main see nothing of a run that is under way",
                rows(List.of(1L, 2L, 3L), List.of(10L, 20L)),
                rows(main));
    }

    private void publish(NessieApiV2 api, NessieCatalog main, Branch beforeEtl) throws Exception {
        narration.step("A merge publishes both tables in one commit, while a reader keeps reading");
        Map<String, List<Long>> old = rows(main);
        AtomicBoolean published = new AtomicBoolean();
        List<Map<String, List<Long>>> seen = new ArrayList<>();
        MergeResponse merge;
        try (ExecutorService background = Executors.newSingleThreadExecutor()) {
            Future<?> reader = background.submit(() -> {
                boolean last;
                do {
                    last = published.get();
                    Map<String, List<Long>> rows = rowsOfOneCommit(api);
                    if (!seen.contains(rows)) {
                        seen.add(rows);
                    }
                } while (!last);
                return seen;
            });
            try {
                merge = api.mergeRefIntoBranch()
                        .branch(branch(api, "main"))
                        .fromRef(branch(api, "etl"))
                        .commitMeta(CommitMeta.fromMessage("publish the ETL run"))
                        .merge();
            } finally {
                published.set(true);
            }
            reader.get();
        }
        narration.claim("the merge was applied", true, merge.wasApplied());
        Map<String, List<Long>> merged = rows(List.of(1L, 2L, 3L, 4L, 5L, 6L), List.of(10L, 20L, 30L));
        narration.claim("main now has the rows of both tables", merged, rows(main));
        narration.claim(
                "the reader saw both tables before the merge or both after it, never one of each",
                true,
                List.of(old, merged).containsAll(seen));
        narration.claim(
                "the merge commit has two parents, main and etl",
                List.of(beforeEtl.getHash(), branch(api, "etl").getHash()),
                log(api, "main").getFirst().getCommitMeta().getParentCommitHashes());
    }

    private void travelInTime(NessieCatalog main, Branch beforeEtl) throws Exception {
        narration.step("A reader pinned at a hash never moves");
        try (NessieCatalog pinned = lake.at("main", beforeEtl.getHash())) {
            narration.claim(
                    "main at " + shortHash(beforeEtl.getHash()) + " is as it was before the run",
                    rows(List.of(1L, 2L, 3L), List.of(10L, 20L)),
                    rows(pinned));
            append(main.loadTable(ORDERS), 7);
            narration.claim(
                    "and stays so after another append to main",
                    rows(List.of(1L, 2L, 3L), List.of(10L, 20L)),
                    rows(pinned));
        }
    }

    private void tidyUpOnBranch(NessieApiV2 api, NessieCatalog main) throws Exception {
        narration.step("A rename and a drop, tried out on a branch");
        api.createReference()
                .sourceRefName("main")
                .reference(Branch.of("tidy", branch(api, "main").getHash()))
                .create();
        try (NessieCatalog tidy = lake.at("tidy")) {
            tidy.renameTable(ITEMS, TableIdentifier.of(SHOP, "articles"));
            narration.claim(
                    "the renamed table has its rows",
                    List.of(10L, 20L, 30L),
                    ids(tidy.loadTable(TableIdentifier.of(SHOP, "articles"))));
            tidy.dropTable(ORDERS, false);
            narration.claim(
                    "branch tidy has only shop.articles",
                    List.of(TableIdentifier.of(SHOP, "articles")),
                    tidy.listTables(SHOP));
        }
        narration.claim(
                "main still has both tables under their names",
                List.of(ITEMS, ORDERS),
                main.listTables(SHOP).stream()
                        .sorted(Comparator.comparing(TableIdentifier::name))
                        .toList());
    }

    private void race(NessieCatalog main) throws Exception {
        narration.step("Two writers race for one table");
        main.loadTable(ORDERS)
                .updateProperties()
                .set("commit.retry.num-retries", "0")
                .commit();
        CyclicBarrier bothLoaded = new CyclicBarrier(2);
        int conflicts = 0;
        try (ExecutorService writers = Executors.newFixedThreadPool(2)) {
            List<Future<Integer>> races = new ArrayList<>();
            for (long id : new long[] {8, 9}) {
                races.add(writers.submit(racer(bothLoaded, id)));
            }
            for (Future<Integer> race : races) {
                conflicts += race.get();
            }
        }
        narration.claim("exactly one of them met a conflict, refreshed and appended again", 1, conflicts);
        narration.claim(
                "no row is lost and none is there twice",
                List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L),
                ids(main.loadTable(ORDERS)));
    }

    /** Appends one row to a table that both racers loaded before either wrote; returns how often it was refused. */
    private Callable<Integer> racer(CyclicBarrier bothLoaded, long id) {
        return () -> {
            try (NessieCatalog catalog = lake.at("main")) {
                Table table = catalog.loadTable(ORDERS);
                bothLoaded.await();
                try {
                    append(table, id);
                    return 0;
                } catch (CommitFailedException e) {
                    table.refresh();
                    append(table, id);
                    return 1;
                }
            }
        };
    }

    private Map<String, List<Long>> rowsOfOneCommit(NessieApiV2 api) throws Exception {
        try (NessieCatalog catalog = lake.at("main", branch(api, "main").getHash())) {
            return rows(catalog);
        }
    }

    private static Map<String, List<Long>> rows(NessieCatalog catalog) {
        return rows(ids(catalog.loadTable(ORDERS)), ids(catalog.loadTable(ITEMS)));
    }

    private static Map<String, List<Long>> rows(List<Long> orders, List<Long> items) {
        return new TreeMap<>(Map.of("orders", orders, "items", items));
    }

    private static Branch branch(NessieApiV2 api, String name) throws Exception {
        return (Branch) api.getReference().refName(name).get();
    }

    private static List<LogEntry> log(NessieApiV2 api, String reference) throws Exception {
        return api.getCommitLog().refName(reference).stream().toList();
    }

    /** All commits that any reference's first-parent line has, drawn with their references and messages. */
    private static List<String> graph(NessieApiV2 api) throws Exception {
        Map<String, LogEntry> commits = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (Reference reference : api.getAllReferences().stream().toList()) {
            names.merge(reference.getHash(), reference.getName(), (a, b) -> a + ", " + b);
            log(api, reference.getName())
                    .forEach(entry -> commits.putIfAbsent(entry.getCommitMeta().getHash(), entry));
        }
        // A commit's time is later than its parents'.
        return CommitGraph.draw(commits.values().stream()
                .map(LogEntry::getCommitMeta)
                .sorted(Comparator.comparing(CommitMeta::getCommitTime).reversed())
                .map(meta -> new CommitGraph.Node(
                        meta.getHash(),
                        meta.getParentCommitHashes(),
                        shortHash(meta.getHash())
                                + (names.containsKey(meta.getHash()) ? " (" + names.get(meta.getHash()) + ")" : "")
                                + " " + meta.getMessage().lines().findFirst().orElse("")))
                .toList());
    }

    private static String shortHash(String hash) {
        return hash.substring(0, 10);
    }
}
