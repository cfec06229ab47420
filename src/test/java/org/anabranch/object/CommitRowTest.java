package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.meta;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.anabranch.index.EntryDiff;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.DeltaLakeTable;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Namespace;
import org.anabranch.model.Udf;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;
import org.anabranch.store.MissingRowException;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitRowTest {

    private static final ContentId ID = new ContentId(new UUID(1, 2));

    private final RowCommits commits = new RowCommits();

    /** A view of that many characters: too large for a leaf from some 500 on. */
    private static IcebergView view(int characters) {
        return new IcebergView(ID, "s3://v", 3, 4, "x".repeat(characters), "spark");
    }

    private static Map<ContentKey, Optional<Content>> tables(int from, int until, int version) {
        Map<ContentKey, Optional<Content>> changes = new HashMap<>();
        for (int n = from; n < until; n++) {
            changes.put(key(n), Optional.of(table(n, version)));
        }
        return changes;
    }

    @Test
    void contentsOfEveryTypeComeBackAsTheyWere() {
        List<Content> contents = List.of(
                table(1, 2),
                new IcebergTable(ID, "", Long.MIN_VALUE, Integer.MAX_VALUE, -1, Integer.MIN_VALUE),
                view(10),
                new IcebergView(ID, "caf\u00e9 \ud83d\ude00", -1, 0, null, null),
                new DeltaLakeTable(ID, List.of("a", ""), List.of(), null),
                new DeltaLakeTable(ID, List.of(), List.of("b"), "c"),
                new Namespace(ID, List.of("a", "b"), Map.of("k", "v", "", "")),
                new Namespace(ID, List.of(), Map.of()),
                new Udf(ID, null, null, null, null, null),
                new Udf(ID, "m", "v", "s", "select\0 1 \ud800", "d"));
        for (Content content : contents) {
            byte[] encoded = ContentCodec.encode(content);
            Content decoded = ContentCodec.decode(content.type(), content.id(), encoded);
            assertThat(decoded).isEqualTo(content);
            assertThat(ContentCodec.encode(decoded)).isEqualTo(encoded);
        }
        assertThat(contents.stream().map(ContentCodec::encode).map(ContentDigest::of))
                .doesNotHaveDuplicates();
    }

    @Test
    void aStoredCommitIsReadAsItWasBuilt() {
        CommitMeta meta = new CommitMeta(
                "a message \ud83d\ude00",
                "root",
                List.of("Ada", "Bo"),
                Instant.ofEpochSecond(-5, 999_999_999),
                List.of("C"),
                Map.of("k", List.of("v", "w"), "", List.of("")));
        Map<ContentKey, Optional<Content>> changes = tables(0, 50, 1);
        changes.put(ContentKey.of("views", "large"), Optional.of(view(5000)));
        changes.put(ContentKey.of("views", "small"), Optional.of(view(50)));
        changes.put(ContentKey.of("gone"), Optional.empty());
        CommitRowBuilder.Built built = commits.build(commits.objects(), 17, Commit.NO_ANCESTOR, changes, meta);
        commits.store(built, Commit.NO_ANCESTOR);

        StoredObjects reader = commits.objects();
        Commit commit = reader.findCommit(built.commit().id()).orElseThrow();
        assertThat(commit).isEqualTo(built.commit());
        assertThat(commit.meta()).isEqualTo(meta);
        List<KeyOperation> expected = new ArrayList<>();
        new TreeMap<>(changes)
                .forEach((key, content) -> expected.add(new KeyOperation(
                        content.isPresent() ? KeyOperation.Kind.PUT : KeyOperation.Kind.DELETE, IndexKey.of(key))));
        assertThat(reader.operations(commit)).isEqualTo(expected);
        changes.forEach((key, content) -> assertThat(commits.index()
                        .find(commit.tree(), IndexKey.of(key))
                        .map(entry -> reader.contents(List.of(entry)).get(0)))
                .isEqualTo(content));
        assertThat(reader.commit(0)).isSameAs(Commit.NO_ANCESTOR);
        assertThat(reader.findCommit(Commit.NO_ANCESTOR.id())).contains(Commit.NO_ANCESTOR);
        assertThat(reader.operations(Commit.NO_ANCESTOR)).isEmpty();
    }

    @Test
    void aLargeRowHasEachChunkInItsPlaceAlsoWhereManyAreBuiltAtOnce() {
        Map<ContentKey, Optional<Content>> changes = tables(0, 3000, 1);
        List<CommitRow> rows = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> commits.build(commits.objects(), 17, Commit.NO_ANCESTOR, changes))
                .map(CommitRowBuilder.Built::row)
                .toList();

        CommitRow row = rows.get(0);
        assertThat(row.chunks()).hasSizeGreaterThan(8);
        for (int i = 0; i < row.chunks().size(); i++) {
            ChunkAddress address = new ChunkAddress(17, i);
            byte[] payload = Chunk.decode(address, row.chunks().get(i)).payload();
            assertThat(row.chunks().get(i)).isEqualTo(Chunk.frame(address, payload));
        }
        for (CommitRow other : rows) {
            assertThat(other.id()).isEqualTo(row.id());
            assertThat(other.chunks())
                    .zipSatisfy(row.chunks(), (one, same) -> assertThat(one).isEqualTo(same));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void everyNodeOfALongLineIsReadAsItWasAndEncodedAsItIsStored(long seed) {
        Random random = new Random(seed);
        Map<ContentKey, Content> model = new TreeMap<>();
        Commit head = Commit.NO_ANCESTOR;
        int editCoded = 0;
        for (int step = 0; step < 120; step++) {
            Map<ContentKey, Optional<Content>> changes = new HashMap<>();
            int count = step == 0 ? 300 : 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                int n = random.nextInt(600);
                changes.put(
                        key(n),
                        random.nextInt(4) == 0
                                ? Optional.empty()
                                : Optional.of(random.nextInt(20) == 0 ? view(600 + n) : table(n, step)));
            }
            changes.forEach(
                    (key, content) -> content.ifPresentOrElse(put -> model.put(key, put), () -> model.remove(key)));
            CommitRowBuilder.Built built = commits.build(commits.objects(), step + 1, head, changes);
            commits.store(built, head);
            head = built.commit();
            commits.forgetCache(1_000_000);
            for (Map.Entry<NodeAddress, Item> item : built.items().entrySet()) {
                if (item.getValue() instanceof Item.StoredNode stored) {
                    Node node = commits.objects().node(item.getKey());
                    assertThat(NodeCodec.encodeWhole(node, 1)).isEqualTo(NodeCodec.encodeWhole(stored.node(), 1));
                    assertThat(commits.objects().wholeNodeBehind(item.getKey())).isEqualTo(stored.whole());
                    assertThat(commits.objects().wholeNodeBehind(stored.whole()))
                            .isEqualTo(stored.whole());
                    editCoded += stored.whole().equals(item.getKey()) ? 0 : 1;
                }
            }
        }
        assertThat(editCoded).isGreaterThan(100);
        Map<ContentKey, Content> read = new TreeMap<>();
        commits.index()
                .range(head.tree(), KeyRange.ALL)
                .forEachRemaining(entry -> read.put(
                        entry.key().toContentKey(),
                        commits.objects().contents(List.of(entry)).get(0)));
        assertThat(read).isEqualTo(model);
    }

    @Test
    void longOperationsAndManyNodesGoOnInChunks() {
        Commit first = commits.commit(Commit.NO_ANCESTOR, tables(0, 3000, 1));
        commits.forgetCache(64_000_000);
        commits.store().resetCounts();
        Commit read = commits.objects().commit(first.number());
        assertThat(commits.store().chunksFetched()).isEqualTo(1);
        assertThat(commits.objects().operations(read)).hasSize(3000);
        assertThat(commits.store().trips()).isEqualTo(2);

        CommitRowBuilder.Built built = commits.build(commits.objects(), 99, first, tables(0, 3000, 2));
        assertThat(built.row().chunks().size()).isGreaterThan(10);
        assertThat(built.row().chunks()).allMatch(chunk -> chunk.length <= 34 * 1024);
    }

    @Test
    void aCallCostsOneTripAndOneMoreForWholeNodes() {
        Commit base = commits.commit(Commit.NO_ANCESTOR, tables(0, 2000, 1));
        Commit head = commits.commit(base, tables(5, 6, 2));
        head = commits.commit(head, tables(900, 901, 2));
        commits.forgetCache(64_000_000);
        commits.store().resetCounts();
        assertThat(commits.objects().findCommit(head.id())).contains(head);
        assertThat(commits.store().trips()).isEqualTo(2);
        commits.store().resetCounts();
        assertThat(commits.index().findAll(head.tree(), List.of(IndexKey.of(key(5)), IndexKey.of(key(1500)))))
                .hasSize(2);
        int levels = head.tree().level() + 1;
        assertThat(commits.store().trips()).isLessThanOrEqualTo(2 * levels);
        commits.store().resetCounts();
        assertThat(commits.index().find(head.tree(), IndexKey.of(key(5)))).isPresent();
        assertThat(commits.store().trips()).isZero();
    }

    @Test
    void publishedRowsAreRememberedAndStagedRowsAreRead() {
        Commit base = commits.commit(Commit.NO_ANCESTOR, tables(0, 500, 1));
        commits.store().resetCounts();
        StagedObjects staged = new StagedObjects(commits.objects());
        CommitRowBuilder.Built one = commits.build(staged, 50, base, tables(7, 8, 2));
        staged.add(one);
        Map<ContentKey, Optional<Content>> changes = tables(7, 8, 3);
        changes.put(ContentKey.of("view"), Optional.of(view(4000)));
        CommitRowBuilder.Built two = commits.build(staged, 51, one.commit(), changes);
        staged.add(two);
        assertThat(commits.store().trips()).as("the head was remembered").isZero();

        assertThat(staged.commits(List.of(base.number(), 51L, 0L, 50L)))
                .containsExactly(base, two.commit(), Commit.NO_ANCESTOR, one.commit());
        assertThat(staged.findCommits(List.of(base.id(), two.commit().id())))
                .isEqualTo(Map.of(base.id(), base, two.commit().id(), two.commit()));
        assertThat(staged.operations(one.commit())).hasSize(1);
        assertThat(staged.operations(base)).hasSize(500);
        List<EntryDiff> diffs = new ArrayList<>();
        new KeyIndex(staged)
                .diff(base.tree(), two.commit().tree(), KeyRange.ALL)
                .forEachRemaining(diffs::add);
        assertThat(staged.contents(diffs.stream().map(EntryDiff::to).toList()))
                .containsExactly(table(7, 3), view(4000));

        commits.store(one, base);
        commits.store(two, one.commit());
        commits.forgetCache(1_000_000);
        assertThat(commits.objects().contents(diffs.stream().map(EntryDiff::to).toList()))
                .containsExactly(table(7, 3), view(4000));
    }

    @Test
    void everyFlippedBitIsRefused() {
        for (int size : List.of(3, 300)) {
            CommitRow row = commits.build(commits.objects(), 5, Commit.NO_ANCESTOR, tables(0, size, 1))
                    .row();
            ChunkAddress address = new ChunkAddress(5, 0);
            byte[] chunk = row.chunks().get(0);
            Chunk.decode(address, chunk);
            int step = size == 3 ? 1 : 37;
            for (int bit = 0; bit < 8 * chunk.length; bit += step) {
                byte[] flipped = chunk.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> Chunk.decode(address, flipped))
                        .as("bit %d", bit)
                        .isInstanceOf(CorruptObjectException.class);
            }
            for (int length = 0; length < chunk.length; length += step) {
                byte[] cut = Arrays.copyOf(chunk, length);
                assertThatThrownBy(() -> Chunk.decode(address, cut)).isInstanceOf(CorruptObjectException.class);
            }
            assertThatThrownBy(() -> Chunk.decode(new ChunkAddress(6, 0), chunk))
                    .as("another row's place")
                    .isInstanceOf(CorruptObjectException.class);
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> commits.objects().commits(List.of(77L, 78L)))
                .isInstanceOfSatisfying(
                        MissingRowException.class,
                        missing -> assertThat(missing.missing())
                                .containsExactly(new ChunkAddress(77, 0), new ChunkAddress(78, 0)));
        assertThat(commits.objects().findCommit(CommitId.parse("ab".repeat(32))))
                .isEmpty();
    }

    @Test
    void theHashCoversEverythingThatAClientSeesAndNothingElse() {
        CommitMeta meta = meta("m");
        List<CommitMeta> metas = List.of(
                meta,
                meta("n"),
                new CommitMeta("m", "c", meta.authors(), meta.authorTime(), List.of(), Map.of()),
                new CommitMeta("m", "", List.of("Ada", "Bo"), meta.authorTime(), List.of(), Map.of()),
                new CommitMeta("m", "", List.of("Ada"), meta.authorTime(), List.of("Bo"), Map.of()),
                new CommitMeta("m", "", List.of("Ada"), meta.authorTime().plusNanos(1), List.of(), Map.of()),
                property(meta, "committer", "c"),
                property(meta, "message", "n"),
                property(meta, "author", "Bo"),
                property(meta, "signedOffBy", "Bo"),
                property(meta, "a", "b"));
        List<Object> hashes = new ArrayList<>();
        for (CommitMeta each : metas) {
            hashes.add(commits.build(commits.objects(), 9, Commit.NO_ANCESTOR, tables(0, 2, 1), each)
                    .commit()
                    .id());
        }
        hashes.add(commits.build(commits.objects(), 9, Commit.NO_ANCESTOR, tables(0, 2, 2), meta)
                .commit()
                .id());
        hashes.add(commits.build(commits.objects(), 9, Commit.NO_ANCESTOR, tables(0, 3, 1), meta)
                .commit()
                .id());
        Map<ContentKey, Optional<Content>> delete = tables(0, 1, 1);
        delete.put(key(1), Optional.empty());
        hashes.add(commits.build(commits.objects(), 9, Commit.NO_ANCESTOR, delete, meta)
                .commit()
                .id());
        Map<ContentKey, Optional<Content>> otherId = tables(0, 1, 1);
        otherId.put(key(1), Optional.of(table(1, 1).withId(ID)));
        hashes.add(commits.build(commits.objects(), 9, Commit.NO_ANCESTOR, otherId, meta)
                .commit()
                .id());
        Commit parent = commits.commit(Commit.NO_ANCESTOR, tables(5, 6, 1));
        hashes.add(commits.build(commits.objects(), 9, parent, tables(0, 2, 1), meta)
                .commit()
                .id());
        assertThat(hashes).doesNotHaveDuplicates();

        assertThat(commits.build(commits.objects(), 1234, Commit.NO_ANCESTOR, tables(0, 2, 1), meta)
                        .commit()
                        .id())
                .as("where it is stored does not count")
                .isEqualTo(hashes.get(0));
    }

    private static CommitMeta property(CommitMeta meta, String name, String value) {
        return new CommitMeta(
                meta.message(),
                meta.committer(),
                meta.authors(),
                meta.authorTime(),
                meta.signedOffBy(),
                Map.of(name, List.of(value)));
    }
}
