package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.DeltaLakeTable;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Namespace;
import org.anabranch.model.Udf;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.store.ChunkAddress;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.api.Test;

/**
 * Pins hashes, sums, shape and stored bytes for fixed keys and contents. A difference means that rows stored by earlier versions
 * are read or named otherwise: do not change the golden file, but the code, or give the format a new version.
 */
class GoldenRowsTest {

    private static final ContentId ID = new ContentId(new UUID(0x0123456789abcdefL, 0x0fedcba987654321L));

    private final RowCommits commits = new RowCommits();

    @Test
    void rowsAreReadAndMadeAsEver() throws IOException {
        Map<ContentKey, Optional<Content>> first = new LinkedHashMap<>();
        for (int n = 0; n < 30; n++) {
            first.put(key(n), Optional.of(table(n, 1)));
        }
        first.put(
                ContentKey.of("caf\u00e9 \ud83d\ude00"),
                Optional.of(new Namespace(ID, List.of("caf\u00e9"), Map.of("k", "v"))));
        first.put(ContentKey.of("d"), Optional.of(new DeltaLakeTable(ID, List.of("a", "b"), List.of(), "c")));
        first.put(ContentKey.of("u"), Optional.of(new Udf(ID, null, "1", null, "select 1", "spark")));
        first.put(ContentKey.of("v"), Optional.of(new IcebergView(ID, "s3://v", 1, 2, "y".repeat(600), null)));
        Map<ContentKey, Optional<Content>> second = new LinkedHashMap<>();
        second.put(key(3), Optional.of(table(3, 2)));
        second.put(key(4), Optional.empty());
        second.put(ContentKey.of("ns05", "added"), Optional.of(table(99, 1)));

        Built one = commits.build(commits.objects(), 300, Commit.NO_ANCESTOR, first);
        commits.store(one, Commit.NO_ANCESTOR);
        Built two = commits.build(commits.objects(), 1000, one.commit(), second);
        List<String> golden = lines("/golden/commit-rows.txt");
        List<String> made = new ArrayList<>();
        for (Built built : List.of(one, two)) {
            Commit commit = built.commit();
            Tree tree = commit.tree();
            made.add("commit " + commit.number() + " " + commit.id());
            made.add("tree " + tree.level() + " " + tree.count() + " " + hex(tree.sum()));
            assertThat(built.row().chunks()).hasSize(1);
            made.add("chunk " + HexFormat.of().formatHex(built.row().chunks().get(0)));
        }
        // Another library may compress to other bytes; what they say must be the same.
        assertThat(withoutFrame(made)).isEqualTo(withoutFrame(golden));
    }

    @Test
    void keysAreCutAsEver() throws IOException {
        Map<ContentKey, Optional<Content>> tables = new LinkedHashMap<>();
        for (int n = 0; n < 2000; n++) {
            tables.put(key(n), Optional.of(table(n, 1)));
        }
        Commit commit = commits.commit(Commit.NO_ANCESTOR, tables);
        List<String> made = new ArrayList<>();
        made.add("sum " + hex(commit.tree().sum()));
        List<Node> level = List.of(commits.objects().node(commit.tree().root()));
        while (true) {
            made.add("level " + level.get(0).level() + ": "
                    + level.stream().map(node -> Integer.toString(size(node))).collect(Collectors.joining(" ")));
            if (level.get(0) instanceof Node.Leaf) {
                break;
            }
            List<NodeAddress> below = new ArrayList<>();
            level.forEach(node -> ((Node.Inner) node).children().forEach(child -> below.add(child.address())));
            level = commits.objects().nodes(below);
        }
        assertThat(made).isEqualTo(lines("/golden/index-shape.txt"));
    }

    private static int size(Node node) {
        return switch (node) {
            case Node.Leaf leaf -> leaf.entries().size();
            case Node.Inner inner -> inner.children().size();
        };
    }

    private static String hex(Sum sum) {
        return String.format("%016x%016x", sum.high(), sum.low());
    }

    /** The lines with the payload in place of a framed chunk. */
    private static List<String> withoutFrame(List<String> lines) {
        List<String> unframed = new ArrayList<>();
        long number = 0;
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words[0].equals("commit")) {
                number = Long.parseLong(words[1]);
            }
            unframed.add(
                    words[0].equals("chunk")
                            ? HexFormat.of()
                                    .formatHex(Chunk.decode(
                                                    new ChunkAddress(number, 0),
                                                    HexFormat.of().parseHex(words[1]))
                                            .payload())
                            : line);
        }
        return unframed;
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream in = GoldenRowsTest.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }
}
