package org.anabranch.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Entry;
import org.anabranch.model.ListedReference;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters see, and the filters that clients are known to send. */
class FiltersTest {

    private static final Filters FILTERS = new Filters(FilterLimits.DEFAULT, InstantSource.system());

    private static final CommitId ID = CommitId.parse("ab".repeat(32));

    private static final CommitHeader COMMIT = new CommitHeader(
            ID,
            List.of(CommitId.NO_ANCESTOR),
            Instant.parse("2026-03-04T05:06:07.123456Z"),
            new CommitMeta(
                    "load orders",
                    "robot",
                    List.of("Ann", "Bob"),
                    Instant.parse("2026-03-04T05:00:00Z"),
                    List.of("Cid"),
                    Map.of("app", List.of("spark", "etl"))));

    private static final ContentId CONTENT_ID = ContentId.parse("01234567-89ab-cdef-0123-456789abcdef");

    private static final HistoryView HISTORY = new HistoryView(
            COMMIT,
            () -> List.of(
                    new HistoryView.Operation.Delete(ContentKey.of("a", "gone")),
                    new HistoryView.Operation.Put(ContentKey.of("a", "b"), ContentType.ICEBERG_TABLE, CONTENT_ID)));

    private static final ListedReference PLAIN =
            new ListedReference(new Reference.Named(ReferenceKind.BRANCH, "xay", ID), null);

    private static final ListedReference FULL = new ListedReference(
            new Reference.Named(ReferenceKind.TAG, "v1", ID),
            new ReferenceMetadata(null, 3, COMMIT, CommitId.NO_ANCESTOR, 7));

    private static Entry entry(ContentType type, String... elements) {
        return new Entry(ContentKey.of(elements), type, CONTENT_ID, null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "entry.key == 'a.b.c.t'",
                "entry.encodedKey == 'a.b\u001dc.t'",
                "entry.namespace == 'a.b\u001dc'",
                "entry.keyElements == ['a', 'b.c', 't']",
                "entry.namespaceElements == ['a', 'b.c']",
                "entry.name == 't'",
                "entry.contentType == 'ICEBERG_TABLE'",
                "entry.contentType in ['ICEBERG_TABLE','ICEBERG_VIEW']",
                "entry.encodedKey.startsWith('a.')",
                "entry.encodedKey.startsWith('a.b\u001dc')",
                "size(entry.keyElements) == 3 && entry.keyElements.size() == 3",
                "entry.keyElements[1] == 'b.c'",
                "entry.name.matches('^[t]$') && entry.key.matches('b.c')",
                "entry.name != 5 && !(entry.name == 5)",
                "entry.keyElements.exists(e, e.endsWith('c')) && entry.keyElements.all(e, size(e) > 0)",
                "entry.keyElements.exists_one(e, e == 't')",
                "entry.keyElements.map(e, e + '!') == ['a!', 'b.c!', 't!']",
                "entry.keyElements.filter(e, e.contains('.')) == ['b.c']",
                "entry.key.contains('b') ? true : false",
                "int('5') == 5 && string(5) == '5' && double('1.5') > 1.0 && dyn(entry.name) == 't'",
                "duration('5s') > duration('4s')",
                "has(entry.name)",
                "timestamp('2026-01-01T00:00:00Z').getFullYear() == 2026",
                "entry.keyElements[9] == 'x' || true"
            })
    void entryShowsTheKeyAndTheType(String filter) {
        assertThat(FILTERS.entries(filter).test(entry(ContentType.ICEBERG_TABLE, "a", "b.c", "t")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "entry.name == 5",
                "entry.key == 'a'",
                "entry.contentType == 'NOPE'",
                "entry.encodedKey.startsWith('a.b.')",
                "entry.namespace == ''"
            })
    void entryDoesNotMatch(String filter) {
        assertThat(FILTERS.entries(filter).test(entry(ContentType.ICEBERG_TABLE, "a", "b.c", "t")))
                .isFalse();
    }

    @Test
    void namespacesOfTheRoot() {
        var filter = FILTERS.entries("entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 1");
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a"))).isTrue();
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a", "b"))).isFalse();
        assertThat(filter.test(entry(ContentType.UDF, "a"))).isFalse();
    }

    @Test
    void namespacesInANamespace() {
        var filter = FILTERS.entries("entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 2"
                + " && entry.encodedKey.startsWith('a.')");
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a", "b"))).isTrue();
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a", "b", "c"))).isFalse();
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a.", "b"))).isFalse();
    }

    @Test
    void aNamespaceAndAllBelow() {
        var filter = FILTERS.entries(
                "entry.contentType == 'NAMESPACE'&& (entry.encodedKey == 'a' || entry.encodedKey.startsWith('a.'))");
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a"))).isTrue();
        assertThat(filter.test(entry(ContentType.NAMESPACE, "a", "b", "c"))).isTrue();
        assertThat(filter.test(entry(ContentType.NAMESPACE, "aa"))).isFalse();
        assertThat(filter.test(entry(ContentType.UDF, "a", "b"))).isFalse();
    }

    @Test
    void namespaceOfAKeyOfOneElementIsEmpty() {
        assertThat(FILTERS.entries("entry.namespace == '' && entry.namespaceElements == []")
                        .test(entry(ContentType.UDF, "a.b")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit.author == 'Ann'",
                "commit.author in ['Zoe', 'Ann']",
                "commit.authors == ['Ann', 'Bob']",
                "commit.committer == 'robot'",
                "commit.signedOffBy == 'Cid' && commit.allSignedOffBy == ['Cid']",
                "commit.message.startsWith('load')",
                "commit.hash == 'abababababababababababababababababababababababababababababababab'",
                "commit.parentCommitHashes[0].startsWith('2e1cfa82')",
                "'app' in commit.properties && commit.properties['app'] == 'spark'",
                "commit.allProperties['app'] == ['spark', 'etl']",
                "'none' in commit.properties && commit.properties['none'] == 'x' || true",
                "timestamp(commit.commitTime) <= timestamp('2026-03-04T05:06:07.123456Z')",
                "timestamp(commit.commitTime) > timestamp('2026-03-04T05:06:07.123455Z')",
                "commit.commitTime > commit.authorTime",
                "commit.commitTime - commit.authorTime > duration('6m')",
                "operations.exists(op, op.key == 'a.b')",
                "operations.exists(op, op.type == 'DELETE' && op.name == 'gone')",
                "operations.exists(op, op.type == 'PUT' && op.content.type == 'ICEBERG_TABLE')",
                "operations.exists(op, op.type == 'PUT' && op.content.id == '01234567-89ab-cdef-0123-456789abcdef')",
                "operations.all(op, op.namespace == 'a' && op.namespaceElements == ['a'] && size(op.keyElements) == 2)",
                "operations.exists(op, op.encodedKey.startsWith('a.b'))",
                "operations.exists(op, op.content == null) && operations.exists(op, op.content != null)",
                "operations.exists_one(op, has(op.content)) && operations.exists_one(op, has(op.content.type))",
                "operations.exists(op, op.content.type == 'ICEBERG_TABLE')",
                "operations[0].name == 'gone' && operations.size() == 2"
            })
    void historyShowsTheCommitAndItsOperations(String filter) {
        assertThat(FILTERS.history(filter).test(HISTORY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ref.name.startsWith('x') && ref.name.contains('y')",
                "refType == 'BRANCH'",
                "ref.hash.startsWith('abab')",
                "!has(refMeta.numCommitsAhead) && !has(refMeta.numTotalCommits) && !has(ref.metadata)",
                "!has(ref.metadata.numTotalCommits)",
                "commit.message == '' && commit.authors == [] && commit.properties == {}",
                "commit.author != 'Ann' && !has(commit.hash) && commit.parentCommitHashes == []",
                "refMeta.numTotalCommits == null",
                "ref.name.matches('.*y$')"
            })
    void referencesWithoutMetadata(String filter) {
        assertThat(FILTERS.references(filter).test(PLAIN)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refType == 'TAG' && refMeta.numTotalCommits == 7",
                "refMeta.numTotalCommits > 6 && refMeta.numCommitsBehind < 4",
                "!has(refMeta.numCommitsAhead)",
                "ref.metadata.numTotalCommits == 7",
                "refMeta.commonAncestorHash.startsWith('2e1c')",
                "refMeta.commitMetaOfHEAD.message == 'load orders' && commit.author == 'Ann'"
            })
    void referencesWithMetadata(String filter) {
        assertThat(FILTERS.references(filter).test(FULL)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key.key == 'a.b.t'",
                "key.encodedKey == 'a.b.t' && key.namespace == 'a.b' && key.name == 't'",
                "size(key.namespaceElements) == 2 && key.namespaceElements[0] == 'a'",
                "key.keyElements.size() == 3"
            })
    void diffShowsTheKey(String filter) {
        assertThat(FILTERS.diff(filter).test(ContentKey.of("a", "b", "t"))).isTrue();
    }

    @Test
    void aFilterIsCompiledOnce() {
        assertThat(FILTERS.entries("entry.name == 'once'")).isSameAs(FILTERS.entries("entry.name == 'once'"));
    }
}
