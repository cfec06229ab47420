package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.Reference;

/**
 * A warehouse in a local folder with a random history: tables of all formats in locations of their own, shared and nested ones and
 * some behind links, views, and branches and tags that come, go and move.
 *
 * <p>Every step is one thing that some user does. The steps follow from the seed alone; hashes and names of files do not. Files have
 * the time that {@link #now} says when they are written. For one thread.
 */
final class RandomLake implements AutoCloseable {

    /** Something a user does; it says what was done to what, for people. */
    private interface Step {
        String run() throws Exception;
    }

    private static final int TABLES_AT_FIRST = 3;

    private final LakeClient client;
    private final Random random;
    private final TableSteps tables;
    private final ReferenceSteps references;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> history = new ArrayList<>();
    private final Set<Path> seen = new HashSet<>();
    private Revival revival = Revival.ALWAYS;
    private Instant now;

    /**
     * Opens a warehouse with a few tables and two branches.
     *
     * @param uri base of the API of an empty catalog
     * @param warehouse an absolute path of a folder that is created, with one named {@code outside} beside it
     * @param now the time of the first files
     * @param patience how long after its files are written a writer may still commit them
     */
    RandomLake(URI uri, Path warehouse, long seed, Instant now, Duration patience) throws Exception {
        this.client = new LakeClient(uri, warehouse);
        this.random = new Random(seed);
        this.now = now;
        Revival heeded = new Heeded();
        this.tables = new TableSteps(client, random, heeded);
        this.references = new ReferenceSteps(client, random, heeded);
        client.at("main").createNamespace(TableSteps.SHOP, Map.of("location", "file:" + warehouse + "/shop"));
        references.remember();
        for (int i = 0; i < TABLES_AT_FIRST; i++) {
            history.add(tables.create("main"));
        }
        references.remember();
        history.add(references.createBranch());
        dateFiles();
        likely(30, () -> tables.change(references.anyBranch()));
        likely(8, () -> tables.create(references.anyBranch()));
        likely(3, () -> tables.drop(references.anyBranch()));
        likely(2, () -> tables.recreate(references.anyBranch()));
        likely(2, () -> tables.rename(references.anyBranch()));
        likely(2, () -> tables.register(references.anyBranch()));
        likely(2, () -> tables.restore(references.anyBranch()));
        likely(3, () -> tables.putForeignMetadata(references.anyBranch()));
        likely(3, () -> tables.putView(references.anyBranch()));
        likely(5, () -> tables.leaveOrphans(references.anyBranch()));
        likely(3, () -> tables.beginAppend(references.anyBranch(), this.now));
        likely(3, () -> tables.endAppend(this.now, patience));
        likely(4, references::createBranch);
        likely(2, references::deleteBranch);
        likely(2, references::createTag);
        likely(2, references::assign);
        likely(4, references::merge);
        likely(2, references::transplant);
    }

    private void likely(int weight, Step step) {
        for (int i = 0; i < weight; i++) {
            steps.add(step);
        }
    }

    /** Lets later steps bring back only what is whole. */
    void heed(Revival revival) {
        this.revival = revival;
    }

    /** Does one random thing. */
    void step() throws Exception {
        String what = steps.get(random.nextInt(steps.size())).run();
        history.add(now + " " + what);
        references.remember();
        dateFiles();
    }

    /** Does a number of random things. */
    void steps(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    /** The time of files that are written now. */
    Instant now() {
        return now;
    }

    /** Lets time pass. */
    void pass(Duration duration) {
        now = now.plus(duration);
        history.add(duration + " pass");
    }

    /** What happened, step by step, for people. */
    List<String> history() {
        return history;
    }

    LakeClient client() {
        return client;
    }

    TableChanges changes() {
        return tables.changes();
    }

    private void dateFiles() throws IOException {
        if (!Files.exists(client.warehouse())) {
            return;
        }
        try (Stream<Path> paths = Files.walk(client.warehouse())) {
            for (Path file : paths.filter(Files::isRegularFile).toList()) {
                if (seen.add(file)) {
                    Files.setLastModifiedTime(file, FileTime.from(now));
                }
            }
        }
    }

    /** What is heeded at the moment of a step. */
    private final class Heeded implements Revival {
        @Override
        public boolean isWhole(Reference reference) {
            return revival.isWhole(reference);
        }

        @Override
        public boolean isWhole(IcebergTable version) {
            return revival.isWhole(version);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
