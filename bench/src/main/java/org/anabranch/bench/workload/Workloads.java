package org.anabranch.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All workloads, in the order in which a server meets them: those that only read come first. */
public final class Workloads {

    private static final String TREES = "/api/v2/trees/";
    private static final Workload.Preparation NOTHING = target -> {};
    private static final int CHANGES = 10;
    private static final int BRANCHES = 10_000;
    private static final int BRANCH_CREATORS = 8;
    private static final int WRITERS = 16;

    /** Names of branches are never used twice in a run. */
    private static final AtomicLong NAMES = new AtomicLong(System.currentTimeMillis());

    private Workloads() {}

    public static List<Workload> all() {
        return List.of(
                new Workload("get-1", "read one table", 16, NOTHING, Workloads::getOne),
                new Workload("get-50", "read 50 tables", 4, NOTHING, Workloads::getFifty),
                new Workload(
                        "list-all",
                        "list all entries",
                        1,
                        NOTHING,
                        (target, session, index) -> () -> session.get(TREES + "main/entries")),
                new Workload("list-namespace", "list one namespace", 1, NOTHING, Workloads::listNamespace),
                new Workload(
                        "diff-10",
                        "diff of 10 tables",
                        1,
                        Workloads::branchesThatDiffer,
                        (target, session, i) -> () -> session.get(TREES + "diff-from/diff/diff-to")),
                new Workload(
                        "log-page",
                        "the last 100 commits",
                        1,
                        NOTHING,
                        (target, session, index) -> () -> session.get(TREES + "main/history?max-records=100")),
                new Workload("key-history", "the commits that changed a table", 1, NOTHING, Workloads::keyHistory),
                commits("commit-1-writer", 1),
                commits("commit-4-writers", 4),
                commits("commit-16-writers", WRITERS),
                commits("commit-64-writers", 64),
                new Workload(
                        "commit-branch-per-writer",
                        "commit of one table, 16 writers, each on a branch of its own",
                        WRITERS,
                        NOTHING,
                        Workloads::commitToOwnBranch),
                commitsOf("commit-100-tables", 100),
                commitsOf("commit-1000-tables", 1_000),
                new Workload("create-delete-branch", "create or delete a branch", 4, NOTHING, Workloads::createDelete),
                new Workload("merge-10", "merge of 10 changed tables", 1, NOTHING, Workloads::merge),
                new Workload(
                        "branch-change-merge",
                        "create a branch, commit 10 tables, merge, delete the branch: one of the four",
                        1,
                        NOTHING,
                        Workloads::branchChangeMerge),
                new Workload(
                        "list-10k-branches",
                        "list 10,000 branches, in catalogs of 1,000 tables or more",
                        1,
                        Workloads::manyBranches,
                        (target, session, index) -> () -> session.get("/api/v2/trees")));
    }

    private static Workload commits(String name, int writers) {
        return new Workload(
                name,
                "commit of one table, all writers on one branch and each on tables of its own",
                writers,
                NOTHING,
                (target, session, index) -> {
                    String[] head = {session.head("main")};
                    return () -> {
                        int table = session.randomTable(index, writers);
                        head[0] = session.commit("main", head[0], 1, operation -> table)
                                .orElse(head[0]);
                    };
                });
    }

    private static Workload commitsOf(String name, int tables) {
        return new Workload(name, "commit of " + tables + " tables", 1, NOTHING, (target, session, index) -> {
            String[] head = {session.head("main")};
            int count = Math.min(tables, target.catalog().tables());
            return () -> {
                int first = session.randomTable();
                int step = Math.max(1, target.catalog().tables() / count);
                head[0] = session.commit(
                                "main",
                                head[0],
                                count,
                                operation -> (first + operation * step)
                                        % target.catalog().tables())
                        .orElse(head[0]);
            };
        });
    }

    private static Workload.Turn getOne(Target target, Session session, int index) {
        return () -> session.get(TREES + "main/contents/" + target.catalog().dotted(session.randomTable()));
    }

    private static Workload.Turn getFifty(Target target, Session session, int index) {
        return () -> session.post(
                TREES + "main/contents",
                IntStream.range(0, 50)
                        .mapToObj(i -> target.catalog().key(session.randomTable()))
                        .collect(Collectors.joining(",", "{\"requestedKeys\":[", "]}")));
    }

    /** With the filter that Nessie's clients send. */
    private static Workload.Turn listNamespace(Target target, Session session, int index) {
        return () -> session.get(TREES + "main/entries?filter="
                + encoded("entry.encodedKey.startsWith('lake."
                        + target.catalog().namespace(session.randomNamespace()) + ".')"));
    }

    /** The peer has no such request; its clients filter the log. */
    private static Workload.Turn keyHistory(Target target, Session session, int index) {
        return target.product().isOurs()
                ? () -> session.get("/api/ext/v1/trees/main/contents/"
                        + target.catalog().dotted(session.randomTable()) + "/history?max-records=250")
                : () -> session.get(TREES + "main/history?fetch=ALL&max-records=250&filter="
                        + encoded("operations.exists(op, op.key == '"
                                + target.catalog().dotted(session.randomTable()) + "')"));
    }

    private static String encoded(String filter) {
        return URLEncoder.encode(filter, StandardCharsets.UTF_8);
    }

    private static void branchesThatDiffer(Target target) throws IOException {
        try (Session session = new Session(target, 1)) {
            String head = session.head("main");
            session.createBranchBeside("diff-from", head);
            session.createBranchBeside("diff-to", head);
            session.commitBeside("diff-to", head, CHANGES, spread(target, 0));
        }
    }

    /** Ten tables, spread over the catalog. */
    private static IntUnaryOperator spread(Target target, int first) {
        int tables = target.catalog().tables();
        return operation -> (first + operation * (tables / CHANGES)) % tables;
    }

    private static Workload.Turn commitToOwnBranch(Target target, Session session, int index) throws IOException {
        String branch = "writer-" + NAMES.incrementAndGet();
        String[] head = {session.head("main")};
        session.createBranchBeside(branch, head[0]);
        return () -> {
            int table = session.randomTable();
            head[0] = session.commit(branch, head[0], 1, operation -> table).orElse(head[0]);
        };
    }

    private static Workload.Turn createDelete(Target target, Session session, int index) throws IOException {
        String head = session.head("main");
        return () -> {
            String branch = "short-" + NAMES.incrementAndGet();
            session.createBranch(branch, head);
            session.deleteBranch(branch, head);
        };
    }

    private static Workload.Turn merge(Target target, Session session, int index) {
        return () -> {
            String branch = "etl-" + NAMES.incrementAndGet();
            String main = session.head("main");
            session.createBranchBeside(branch, main);
            String head = session.commitBeside(branch, main, CHANGES, spread(target, session.randomTable()));
            session.merge("main", main, branch, head);
            session.deleteBranchBeside(branch, head);
        };
    }

    private static Workload.Turn branchChangeMerge(Target target, Session session, int index) {
        return () -> {
            String branch = "etl-" + NAMES.incrementAndGet();
            String main = session.head("main");
            session.createBranch(branch, main);
            String head = session.commit(branch, main, CHANGES, spread(target, session.randomTable()))
                    .orElse(main);
            session.merge("main", main, branch, head);
            session.deleteBranch(branch, head);
        };
    }

    private static void manyBranches(Target target) {
        int branches = Math.min(BRANCHES, 10 * target.catalog().tables());
        IntStream.range(0, BRANCH_CREATORS).parallel().forEach(creator -> {
            try (Session session = new Session(target, creator)) {
                String head = session.head("main");
                for (int branch = creator; branch < branches; branch += BRANCH_CREATORS) {
                    session.createBranchBeside("many-%05d".formatted(branch), head);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
