package org.anabranch.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.cli.gc.GcCommand;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.nessie.NessieCatalog;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.model.Branch;
import org.projectnessie.model.Reference;
import org.projectnessie.model.Reference.ReferenceType;
import picocli.CommandLine;

/** The last act: a branch is dropped, the files that it alone needed are collected, and everything else still reads. */
final class CollectionAct {

    private static final int FILES_SHOWN = 4;

    private final NessieApiV2 api;
    private final URI uri;
    private final Lake lake;
    private final Path warehouse;
    private final Narration narration;

    CollectionAct(NessieApiV2 api, URI uri, Lake lake, Path warehouse, Narration narration) {
        this.api = api;
        this.uri = uri;
        this.lake = lake;
        this.warehouse = warehouse;
        this.narration = narration;
    }

    /**
     * Tells it.
     *
     * @param namespace of all tables
     * @param overwritten a table on main
     */
    void tell(Namespace namespace, TableIdentifier overwritten) throws Exception {
        narration.step("A table is overwritten on branch rework, its snapshots are expired, and the branch is dropped");
        Set<Path> before = files();
        Map<String, List<Long>> rows = rowsOfAllBranches(namespace);
        rework(overwritten);
        Set<Path> ofTheBranch = files();
        ofTheBranch.removeAll(before);
        narration.claim("no branch reads otherwise than before", rows, rowsOfAllBranches(namespace));
        narration.say(
                dataAndMetadata(ofTheBranch).size() + " files that only the dropped branch needed are still there.");

        narration.step("Garbage collection: a file goes when two runs found that nothing needs it");
        narration.say("Between the two lie three days by default; for the demo none.");
        collect();
        Set<Path> afterOne = files();
        narration.claim("after the first run every file is there", before.size() + ofTheBranch.size(), afterOne.size());
        collect();
        Set<Path> gone = new TreeSet<>(afterOne);
        gone.removeAll(files());
        List<Path> shown = dataAndMetadata(gone);
        shown.stream().limit(FILES_SHOWN).forEach(file -> narration.say("gone: " + warehouse.relativize(file)));
        List<Path> ofTheRace = new ArrayList<>(shown);
        ofTheRace.removeAll(ofTheBranch);
        narration.say("... " + shown.size() + " files in all, " + ofTheRace.size()
                + " of them of the writer that lost the race; Hadoop lays a checksum beside each");
        narration.claim("all files that only the dropped branch needed are gone", true, gone.containsAll(ofTheBranch));
        narration.claim("every table of every branch still has its rows", rows, rowsOfAllBranches(namespace));
    }

    private void rework(TableIdentifier overwritten) throws Exception {
        api.createReference()
                .sourceRefName("main")
                .reference(Branch.of(
                        "rework", api.getReference().refName("main").get().getHash()))
                .create();
        try (NessieCatalog rework = lake.at("rework")) {
            Table table = rework.loadTable(overwritten);
            // A Nessie catalog turns it off by default, because expiring with deletion would break other branches.
            table.updateProperties().set(TableProperties.GC_ENABLED, "true").commit();
            for (long id : new long[] {100, 200}) {
                table.newOverwrite()
                        .overwriteByRowFilter(Expressions.alwaysTrue())
                        .addFile(Lake.writeParquet(table, id, id + 1))
                        .commit();
            }
            table.expireSnapshots()
                    .expireOlderThan(Long.MAX_VALUE)
                    .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                    .commit();
            narration.claim("the overwritten table has its new rows there", List.of(200L, 201L), Lake.ids(table));
        }
        api.deleteReference()
                .reference(api.getReference().refName("rework").get())
                .delete();
    }

    /** Runs the command that an operator runs, and repeats what it says. */
    private void collect() {
        StringWriter text = new StringWriter();
        int exitCode = new CommandLine(GcCommand.class)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(text))
                .setErr(new PrintWriter(text))
                .execute(
                        "run",
                        "--uri",
                        uri.toString(),
                        "--warehouse",
                        warehouse.toString(),
                        "--state",
                        warehouse.resolveSibling("gc").toString(),
                        "--grace",
                        "0s",
                        "--allow-short-grace",
                        "--safety-age",
                        "0s",
                        "--clock-margin",
                        "0s");
        narration.say("anabranch gc run --warehouse " + warehouse + " ...");
        text.toString().lines().map(line -> "  " + line).forEach(narration::say);
        narration.claim("the command ends well", 0, exitCode);
    }

    private Map<String, List<Long>> rowsOfAllBranches(Namespace namespace) throws Exception {
        Map<String, List<Long>> rows = new TreeMap<>();
        for (Reference reference : api.getAllReferences().get().getReferences()) {
            if (reference.getType() == ReferenceType.BRANCH) {
                try (NessieCatalog catalog = lake.at(reference.getName())) {
                    for (TableIdentifier table : catalog.listTables(namespace)) {
                        rows.put(reference.getName() + ":" + table, Lake.ids(catalog.loadTable(table)));
                    }
                }
            }
        }
        return rows;
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            return paths.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Without the checksums that Hadoop's file system lays beside each file. */
    private static List<Path> dataAndMetadata(Set<Path> files) {
        List<Path> some = new ArrayList<>(files);
        some.removeIf(file -> file.getFileName().toString().endsWith(".crc"));
        return some;
    }
}
