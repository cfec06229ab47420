package org.anabranch.versioning.check;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.IndexEditor;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.RowForge;
import org.anabranch.object.StoredContent;
import org.anabranch.object.Sum;
import org.anabranch.object.Tree;
import org.anabranch.store.Change;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.testing.AlteredStore;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.Finding.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that can be damaged is found, and named. */
class DamageTest {

    private final TestCatalog catalog = new TestCatalog();
    private final AlteredStore altered = new AlteredStore(catalog.store());
    private List<Commit> log = List.of();

    @BeforeEach
    void aHistoryWithMergesOnALargerTree() {
        RandomHistory history = new RandomHistory(catalog, new Random(7));
        history.fill(MAIN, 200);
        catalog.branch("side", MAIN);
        history.grow("side", MAIN, 4);
        history.grow(MAIN, "side", 40);
        catalog.commit(MAIN, put("large", TestCatalog.table("x".repeat(2_000))));
        catalog.commit(MAIN, put("last", TestCatalog.table("x")));
        log = catalog.log(MAIN);
        assertThat(RepositoryCheck.full(catalog.store())).matches(CheckReport::isClean);
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private List<Finding> findings() {
        return RepositoryCheck.full(altered).findings();
    }

    private List<Kind> kinds() {
        return findings().stream().map(Finding::kind).toList();
    }

    private Commit plain() {
        return log.get(log.size() / 2);
    }

    private Commit merge() {
        return log.stream().filter(Commit::isMerge).findFirst().orElseThrow();
    }

    private void alterHeader(Commit commit, UnaryOperator<Commit> change) {
        altered.alter(RowForge.withHeader(altered.row(commit.number()), change));
    }

    /** A change of one field of a header, and what is found then. */
    private record FieldChange(String field, UnaryOperator<Commit> change, Kind... kinds) {

        @Override
        public String toString() {
            return field;
        }
    }

    private static Commit with(
            Commit commit, long seq, long jump, long jumpFloor, long generation, long lastMerge, long createdAt) {
        return new Commit(
                commit.number(),
                commit.id(),
                commit.parents(),
                seq,
                jump,
                commit.jumpSeq(),
                jumpFloor,
                generation,
                lastMerge,
                commit.tree(),
                createdAt,
                commit.meta());
    }

    private static Commit with(Commit c, CommitId id, List<Head> parents, Tree tree, @Nullable CommitMeta meta) {
        return new Commit(
                c.number(),
                id,
                parents,
                c.seq(),
                c.jump(),
                c.jumpSeq(),
                c.jumpFloor(),
                c.generation(),
                c.lastMerge(),
                tree,
                c.createdAtMicros(),
                meta);
    }

    private static Tree with(Tree tree, int level, long count, Sum sum) {
        return new Tree(tree.root(), level, count, sum);
    }

    static List<FieldChange> fields() {
        return List.of(
                new FieldChange(
                        "seq",
                        c -> with(
                                c,
                                c.seq() + 1,
                                c.jump(),
                                c.jumpFloor(),
                                c.generation(),
                                c.lastMerge(),
                                c.createdAtMicros()),
                        Kind.SEQ,
                        Kind.COMMIT_ID),
                new FieldChange(
                        "jump",
                        c -> with(
                                c,
                                c.seq(),
                                c.number(),
                                c.jumpFloor(),
                                c.generation(),
                                c.lastMerge(),
                                c.createdAtMicros()),
                        Kind.JUMP),
                new FieldChange(
                        "jumpFloor",
                        c -> with(
                                c,
                                c.seq(),
                                c.jump(),
                                c.jumpFloor() == 1 ? 2 : 1,
                                c.generation(),
                                c.lastMerge(),
                                c.createdAtMicros()),
                        Kind.JUMP_FLOOR),
                new FieldChange(
                        "generation",
                        c -> with(
                                c,
                                c.seq(),
                                c.jump(),
                                c.jumpFloor(),
                                c.generation() + 5,
                                c.lastMerge(),
                                c.createdAtMicros()),
                        Kind.GENERATION),
                new FieldChange(
                        "lastMerge",
                        c -> with(
                                c,
                                c.seq(),
                                c.jump(),
                                c.jumpFloor(),
                                c.generation(),
                                c.lastMerge() - 1,
                                c.createdAtMicros()),
                        Kind.LAST_MERGE),
                new FieldChange(
                        "createdAt",
                        c -> with(c, c.seq(), c.jump(), c.jumpFloor(), c.generation(), c.lastMerge(), 5),
                        Kind.CREATED_AT,
                        Kind.COMMIT_ID),
                new FieldChange(
                        "meta",
                        c -> with(c, c.id(), c.parents(), c.tree(), TestMeta.saying("something else")),
                        Kind.COMMIT_ID),
                new FieldChange(
                        "id",
                        c -> with(c, CommitId.NO_ANCESTOR, c.parents(), c.tree(), c.meta()),
                        Kind.COMMIT_ID,
                        Kind.LINKS),
                new FieldChange(
                        "id of a parent",
                        c -> with(
                                c,
                                c.id(),
                                c.parents().stream()
                                        .map(head -> new Head(head.number(), c.id()))
                                        .toList(),
                                c.tree(),
                                c.meta()),
                        Kind.PARENT,
                        Kind.COMMIT_ID),
                new FieldChange(
                        "count of the tree",
                        c -> with(
                                c,
                                c.id(),
                                c.parents(),
                                with(
                                        c.tree(),
                                        c.tree().level(),
                                        c.tree().count() + 1,
                                        c.tree().sum()),
                                c.meta()),
                        Kind.TREE_COUNT),
                new FieldChange(
                        "level of the tree",
                        c -> with(
                                c,
                                c.id(),
                                c.parents(),
                                with(
                                        c.tree(),
                                        c.tree().level() + 1,
                                        c.tree().count(),
                                        c.tree().sum()),
                                c.meta()),
                        Kind.TREE_SHAPE),
                new FieldChange(
                        "sum of the tree",
                        c -> with(
                                c,
                                c.id(),
                                c.parents(),
                                with(c.tree(), c.tree().level(), c.tree().count(), new Sum(1, 2)),
                                c.meta()),
                        Kind.TREE_SUM));
    }

    private static final class TestMeta {
        private static CommitMeta saying(String message) {
            return new CommitMeta(message, "", List.of(""), Instant.EPOCH, List.of(), Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("fields")
    void eachFieldOfAHeaderIsHeldAgainstTheRest(FieldChange field) {
        for (Commit commit : List.of(plain(), merge())) {
            alterHeader(commit, field.change());

            List<Finding> findings = findings();

            assertThat(findings).extracting(Finding::kind).contains(field.kinds());
            assertThat(findings)
                    .as("one damaged row, and its children for the id that they name")
                    .allMatch(finding -> finding.row() == commit.number() || finding.kind() == Kind.PARENT);
            assertThat(findings).allMatch(finding -> MAIN.equals(finding.reference()));
            altered.alter(new AlteredStore(catalog.store()).row(commit.number()));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aFlippedBitIsFound(int seed) {
        Random random = new Random(seed);
        Commit commit = log.get(random.nextInt(log.size()));
        CommitRow row = altered.row(commit.number());
        List<byte[]> chunks = new ArrayList<>();
        row.chunks().forEach(chunk -> chunks.add(chunk.clone()));
        byte[] chunk = chunks.get(random.nextInt(chunks.size()));
        chunk[random.nextInt(chunk.length)] ^= (byte) (1 << random.nextInt(8));
        altered.alter(new CommitRow(row.number(), row.id(), row.parents(), chunks));

        assertThat(findings()).isNotEmpty().allMatch(finding -> finding.kind() == Kind.UNREADABLE);
    }

    @Test
    void aMissingRowIsToldOnce() {
        altered.remove(plain().number());

        List<Finding> findings = findings();

        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).kind()).isEqualTo(Kind.MISSING_ROW);
        assertThat(findings.get(0).expected()).contains("row " + plain().number());
    }

    @Test
    void aReferenceToNothingIsFound() {
        altered.alterReferences(row -> row.name().equals("side")
                ? new ReferenceRow(
                        row.name(), row.kind(), new Head(99_999, log.get(0).id()), row.incarnation(), 1, 0, List.of())
                : row);

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.REFERENCE);
            assertThat(finding.reference()).isEqualTo("side");
        });
    }

    @Test
    void aReferenceWithAnotherIdIsFound() {
        altered.alterReferences(row -> new ReferenceRow(
                row.name(),
                row.kind(),
                new Head(row.head().number(), CommitId.NO_ANCESTOR),
                row.incarnation(),
                row.version(),
                row.createdAtMicros(),
                List.of()));

        assertThat(kinds()).containsOnly(Kind.REFERENCE);
    }

    @Test
    void anEarlierHeadThatIsNothingIsFound() {
        altered.alterReferences(row -> new ReferenceRow(
                row.name(),
                row.kind(),
                row.head(),
                row.incarnation(),
                row.version(),
                row.createdAtMicros(),
                List.of(new PublishedHead(new Head(7_777, log.get(0).id()), 1))));

        assertThat(kinds()).containsOnly(Kind.EARLIER_HEAD);
    }

    @Test
    void linksBesideARowAreHeldAgainstIt() {
        Commit commit = plain();
        altered.alter(new CommitLinks(
                commit.number(), commit.id(), List.of(log.get(log.size() - 1).number())));
        assertThat(findings()).anySatisfy(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.LINKS);
            assertThat(finding.row()).isEqualTo(commit.number());
        });

        altered.alter(new CommitLinks(
                commit.number(),
                log.get(0).id(),
                commit.parents().stream().map(Head::number).toList()));
        assertThat(kinds()).contains(Kind.LINKS);
    }

    @Test
    void aCommitAmongItsAncestorsIsFound() {
        Commit oldest = log.get(log.size() - 1);
        altered.alter(
                new CommitLinks(oldest.number(), oldest.id(), List.of(log.get(0).number())));

        assertThat(kinds()).contains(Kind.CYCLE, Kind.LINKS);
    }

    @Test
    void aRepositoryRecordOfAnotherFormatIsFound() {
        altered.alterRepository(row -> record(row, 2, row.salt()));

        assertThat(findings()).singleElement().matches(finding -> finding.kind() == Kind.REPOSITORY);
    }

    @Test
    void treesCutByAnotherSaltAreFound() {
        altered.alterRepository(row -> record(row, 1, "another one here".getBytes(StandardCharsets.US_ASCII)));

        assertThat(kinds()).contains(Kind.TREE_SHAPE);
    }

    private static RepositoryRow record(RepositoryRow row, int formatVersion, byte[] salt) {
        return new RepositoryRow(
                row.id(), formatVersion, salt, row.defaultBranch(), 0, 0, row.configs(), row.version());
    }

    @Test
    void aReceiptThatLeadsNowhereOrCannotBeReadIsFound() {
        catalog.commit(
                new CommitRequest(
                        TestCatalog.at(MAIN, catalog.head(MAIN)),
                        GivenMeta.ofMessage(""),
                        List.of(put("new", TestCatalog.table("x")))),
                new Idempotency("key", new byte[32]));
        assertThat(RepositoryCheck.full(altered)).matches(CheckReport::isClean);
        assertThat(RepositoryCheck.full(altered).receipts()).isEqualTo(1);

        altered.alterReceipts(kept -> new Receipt(
                kept.scope(), kept.requestDigest(), new Head(9_999, CommitId.NO_ANCESTOR), kept.response(), 1));
        assertThat(kinds()).containsOnly(Kind.RECEIPT);

        altered.alterReceipts(
                kept -> new Receipt(kept.scope(), kept.requestDigest(), kept.head(), new byte[] {1, 9}, 1));
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.RECEIPT);
            assertThat(finding.reference()).isEqualTo(MAIN);
        });
    }

    @Test
    void operationsAreHeldAgainstTheTree() {
        Commit commit = plain();
        altered.alter(RowForge.withOperations(altered.row(commit.number()), operations -> List.of()));
        assertThat(findings()).extracting(Finding::kind).contains(Kind.COMMIT_ID);

        altered.alter(RowForge.withOperations(
                altered.row(log.get(0).number()),
                operations -> List.of(new KeyOperation(KeyOperation.Kind.PUT, IndexKey.of(key("nowhere"))))));
        assertThat(findings()).anySatisfy(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.OPERATIONS);
            assertThat(finding.key()).isEqualTo(key("nowhere"));
        });
    }

    @Test
    void aLeafOutOfOrderIsFound() {
        Node.Leaf leaf = leafOf(log.get(0));
        List<IndexEntry> entries = new ArrayList<>(leaf.entries());
        Collections.swap(entries, 0, 1);

        assertThat(kindsWithLeaf(entries)).containsExactly(Kind.TREE_ORDER);
    }

    @Test
    void anEntryThatIsGoneOrHasAnotherValueIsFound() {
        Node.Leaf leaf = leafOf(log.get(0));
        assertThat(kindsWithLeaf(leaf.entries().subList(1, leaf.entries().size())))
                .contains(Kind.TREE_COUNT);

        List<IndexEntry> entries = new ArrayList<>(leaf.entries());
        IndexEntry first = entries.get(0);
        entries.set(
                0,
                new IndexEntry(first.key(), first.type(), new ContentId(new UUID(5, 5)), first.seq(), first.content()));
        assertThat(kindsWithLeaf(entries)).contains(Kind.TREE_SUM);
    }

    /** The sums know nothing of it, so it takes a comparison with the tree before. */
    @Test
    void anEntryThatSaysAnotherSeqIsFound() {
        for (IndexEntry entry : leafOf(log.get(0)).entries()) {
            List<IndexEntry> entries = new ArrayList<>(leafOf(log.get(0)).entries());
            entries.replaceAll(one -> one == entry || one.key().equals(entry.key())
                    ? new IndexEntry(one.key(), one.type(), one.contentId(), one.seq() - 1, one.content())
                    : one);

            assertThat(kindsWithLeaf(entries)).as("%s", entry.key()).contains(Kind.ENTRY_SEQ);
        }
    }

    private Node.Leaf leafOf(Commit commit) {
        return (Node.Leaf) catalog.objects().node(leafAddress(commit));
    }

    /** The leaf that was born with the commit. */
    private NodeAddress leafAddress(Commit commit) {
        NodeAddress address = commit.tree().root();
        while (catalog.objects().node(address) instanceof Node.Inner inner) {
            address = inner.children().stream()
                    .map(Node.Child::address)
                    .filter(child -> child.commitNumber() == commit.number())
                    .findFirst()
                    .orElseThrow();
        }
        return address;
    }

    private List<Kind> kindsWithLeaf(List<IndexEntry> entries) {
        Commit commit = log.get(0);
        altered.alter(RowForge.withNode(
                new AlteredStore(catalog.store()).row(commit.number()), leafAddress(commit), new Node.Leaf(entries)));
        assertThat(findings()).allMatch(finding -> finding.row() == commit.number());
        return kinds();
    }

    @ParameterizedTest
    @ValueSource(strings = {"count", "sum", "boundary", "address"})
    void whatAnInnerNodeSaysOfItsChildrenIsHeldAgainstThem(String field) {
        Commit commit = log.get(0);
        Node.Inner root = (Node.Inner) catalog.objects().node(commit.tree().root());
        List<Node.Child> children = new ArrayList<>(root.children());
        Node.Child child = children.get(1);
        children.set(
                1,
                switch (field) {
                    case "count" -> new Node.Child(child.boundary(), child.address(), child.count() + 1, child.sum());
                    case "sum" -> new Node.Child(child.boundary(), child.address(), child.count(), new Sum(3, 4));
                    case "boundary" ->
                        new Node.Child(child.boundary().next(), child.address(), child.count(), child.sum());
                    default -> new Node.Child(child.boundary(), children.get(0).address(), child.count(), child.sum());
                });
        altered.alter(RowForge.withNode(
                altered.row(commit.number()), commit.tree().root(), new Node.Inner(root.level(), children)));

        List<Finding> findings = findings();

        assertThat(findings).isNotEmpty().allMatch(finding -> finding.row() == commit.number());
        assertThat(findings)
                .extracting(Finding::kind)
                .containsAnyOf(Kind.TREE_COUNT, Kind.TREE_SUM, Kind.TREE_SHAPE, Kind.FOREIGN_ROW);
    }

    @Test
    void aLargeContentThatIsAnotherIsFound() {
        Commit commit = log.get(1);
        IndexEntry entry = ((Node.Leaf) catalog.objects().node(leafAddress(commit)))
                .entries().stream()
                        .filter(one -> one.content() instanceof StoredContent.Large)
                        .findFirst()
                        .orElseThrow();
        altered.alter(
                RowForge.withContent(altered.row(commit.number()), ((StoredContent.Large) entry.content()).address()));

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.CONTENT);
            assertThat(finding.key()).isEqualTo(key("large"));
        });
    }

    @Test
    void aContentIdUnderTwoKeysIsFoundWhereItComes() {
        Content content = catalog.content(MAIN, "last");
        Commit twice = forge(catalog.commit(catalog.head(MAIN)), Map.of(key("another"), Optional.of(content)));
        // It is so for one commit only, and no head shows it any more.
        forge(twice, Map.of(key("another"), Optional.empty()));

        List<Finding> findings = RepositoryCheck.full(catalog.store()).findings();

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.CONTENT_ID_TWICE);
            assertThat(finding.row()).isEqualTo(twice.number());
            assertThat(finding.key()).isEqualTo(key("another"));
            assertThat(finding.actual()).contains("last");
        });
    }

    @Test
    void aContentIdThatMovesIsNoFinding() {
        Content content = catalog.content(MAIN, "last");
        catalog.commit(MAIN, TestCatalog.delete("last"), put("b2", content, content.id()));
        catalog.commit(MAIN, TestCatalog.delete("b2"), put("last", content, content.id()));
        catalog.branch("later", MAIN);
        catalog.commit("later", TestCatalog.delete("last"), put("b3", content, content.id()));
        assertThat(catalog.merge("later", MAIN)).isInstanceOf(Merged.class);

        assertThat(RepositoryCheck.full(catalog.store())).matches(CheckReport::isClean);
    }

    @Test
    void aNodeOfARowThatIsNoAncestorIsFound() {
        catalog.branch("a", MAIN);
        catalog.branch("b", MAIN);
        Content content = TestCatalog.table("same").withId(new ContentId(new UUID(4, 4)));
        Commit a = forgeOn("a", Map.of(key("f100"), Optional.of(content)));
        Commit b = forgeOn("b", Map.of(key("f100"), Optional.of(content)));
        Node.Inner root = (Node.Inner) catalog.objects().node(b.tree().root());
        altered.alter(RowForge.withNode(
                altered.row(b.number()),
                b.tree().root(),
                new Node.Inner(
                        root.level(),
                        root.children().stream()
                                .map(child -> child.address().commitNumber() == b.number()
                                        ? new Node.Child(
                                                child.boundary(),
                                                new NodeAddress(
                                                        a.number(),
                                                        child.address().ordinal()),
                                                child.count(),
                                                child.sum())
                                        : child)
                                .toList())));

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.FOREIGN_ROW);
            assertThat(finding.reference()).isEqualTo("b");
        });
    }

    @Test
    void aQuickCheckLooksAtHeadersAlone() {
        alterHeader(plain(), c -> with(c, c.id(), c.parents(), c.tree(), TestMeta.saying("something else")));
        assertThat(quick().isClean()).isTrue();

        alterHeader(plain(), c -> with(c, c.seq(), c.jump(), c.jumpFloor(), 1, c.lastMerge(), c.createdAtMicros()));
        assertThat(quick().findings()).extracting(Finding::kind).contains(Kind.GENERATION);
    }

    private CheckReport quick() {
        return new RepositoryCheck(altered).run(CheckLevel.QUICK, CheckProgress.NONE, () -> false);
    }

    @Test
    void aCheckThatIsToldToEndSaysThatItIsNotComplete() {
        CheckReport report = new RepositoryCheck(altered).run(CheckLevel.FULL, CheckProgress.NONE, () -> true);

        assertThat(report.complete()).isFalse();
        assertThat(report.isClean()).isFalse();
    }

    private Commit forge(Commit parent, Map<ContentKey, Optional<Content>> changes) {
        return forge(MAIN, parent, changes);
    }

    private Commit forgeOn(String branch, Map<ContentKey, Optional<Content>> changes) {
        return forge(branch, catalog.commit(catalog.head(branch)), changes);
    }

    /** Commits without the rules of the rooms above, all else being right. */
    private Commit forge(String branch, Commit parent, Map<ContentKey, Optional<Content>> changes) {
        GraphPosition position = new CommitGraph(catalog.objects()).position(List.of(parent));
        CommitRowBuilder builder = new CommitRowBuilder(catalog.store().numbers(1), catalog.objects());
        SortedMap<IndexKey, Optional<IndexEntry>> operations = new TreeMap<>();
        changes.forEach((key, content) -> {
            Optional<IndexEntry> entry = content.map(put -> new IndexEntry(
                    IndexKey.of(key), ContentType.ICEBERG_TABLE, put.id(), position.seq(), builder.addContent(put)));
            operations.put(IndexKey.of(key), entry);
        });
        byte[] salt = catalog.store().repository().orElseThrow().salt();
        Tree tree = new IndexEditor(catalog.objects(), salt).apply(parent.tree(), operations, builder);
        CommitRowBuilder.Built built = builder.build(
                List.of(parent), position, tree, parent.createdAtMicros() + 1, TestMeta.saying("forged"), operations);
        ReferenceRow row = catalog.row(branch);
        catalog.store()
                .write(
                        List.of(built.row()),
                        List.of(parent.number()),
                        new Change.OfReference(
                                branch, row, row.movedTo(built.commit().head(), List.of())),
                        List.of());
        return built.commit();
    }
}
