package org.anabranch.versioning.refs;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.Detail;
import org.anabranch.model.ListedReference;
import org.anabranch.model.Page;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceMetadata;
import org.anabranch.model.ReferencesRequest;
import org.anabranch.model.RefusedException;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceListingTest {

    private final ReferenceCatalog catalog = new ReferenceCatalog();

    @AfterEach
    void close() {
        catalog.close();
    }

    @Test
    void branchesComeBeforeTagsEachByTheBytesOfTheirNames() {
        catalog.create(ReferenceKind.BRANCH, List.of("b", "B", "a/x", "a-x", "aa"));
        catalog.create(ReferenceKind.TAG, List.of("c", "a"));

        assertThat(names(page(0, ""))).containsExactly("B", "a-x", "a/x", "aa", "b", "main", "a", "c");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 9})
    void pagesOfAnySizeShowTheSame(int size) {
        catalog.create(ReferenceKind.BRANCH, List.of("a", "b", "c"));
        catalog.create(ReferenceKind.TAG, List.of("t", "u", "v"));
        List<String> all = new ArrayList<>();
        String token = "";
        do {
            Page<ListedReference> page = page(size, token);
            List<String> names = names(page);
            assertThat(names).isNotEmpty().hasSizeLessThanOrEqualTo(size);
            all.addAll(names);
            token = page.nextToken().orElse("");
        } while (!token.isEmpty());

        assertThat(all).containsExactly("a", "b", "c", "main", "t", "u", "v");
    }

    @Test
    void aPageBeginsAtTheNextGreaterReferenceIfItsOwnIsGone() {
        catalog.create(ReferenceKind.BRANCH, List.of("a", "b", "c"));
        Page<ListedReference> first = page(1, "");
        assertThat(names(first)).containsExactly("a");
        catalog.delete().delete(ref("b@" + CommitId.NO_ANCESTOR), null, UNRESTRICTED, null);
        catalog.create(ReferenceKind.TAG, List.of("b"));

        assertThat(names(page(0, first.nextToken().orElseThrow()))).containsExactly("c", "main", "b");
    }

    @Test
    void longListingsAreReadInBlocks() {
        List<String> names =
                IntStream.range(0, 600).mapToObj("n%03d"::formatted).toList();
        catalog.create(ReferenceKind.BRANCH, names);

        assertThat(names(page(0, ""))).hasSize(601).containsAll(names).isSorted();
    }

    @Test
    void theLimitCountsAfterTheFilter() {
        catalog.create(ReferenceKind.BRANCH, List.of("a1", "b1", "a2", "b2", "a3"));
        Page<ListedReference> page = catalog.list()
                .list(new ReferencesRequest(Detail.MINIMAL, "ref.name.startsWith('a')", 2, ""), UNRESTRICTED);

        assertThat(names(page)).containsExactly("a1", "a2");
        assertThat(names(catalog.list()
                        .list(
                                new ReferencesRequest(
                                        Detail.MINIMAL,
                                        "ref.name.startsWith('a')",
                                        2,
                                        page.nextToken().orElseThrow()),
                                UNRESTRICTED)))
                .containsExactly("a3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "!!!", "Yi8", "YS9tYWlu", "Yi8uLg"})
    void whatIsNoTokenIsRefused(String token) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> page(0, token))
                .withMessageContaining("page-token '" + token + "'");
    }

    /**
     * <pre>
     *   main  a---b---c
     *              \
     *   dev         d---e---f
     * </pre>
     */
    @Test
    void metadataCountsFromTheForkOnFirstParentLines() {
        catalog.commit("main", "a");
        CommitId b = catalog.commit("main", "b");
        catalog.branch("dev", b);
        catalog.create("v1", ReferenceKind.TAG, b);
        catalog.create("empty", ReferenceKind.BRANCH, CommitId.NO_ANCESTOR);
        catalog.create("alone", ReferenceKind.BRANCH, CommitId.NO_ANCESTOR);
        catalog.commit("alone", "z");
        catalog.commit("main", "c");
        catalog.commit("dev", "d");
        catalog.commit("dev", "e");
        CommitId f = catalog.commit("dev", "f");

        assertThat(metadata("dev")).satisfies(meta -> {
            assertThat(meta.numCommitsAhead()).isEqualTo(3);
            assertThat(meta.numCommitsBehind()).isEqualTo(1);
            assertThat(meta.commonAncestor()).isEqualTo(b);
            assertThat(meta.numTotalCommits()).isEqualTo(5);
            assertThat(meta.head().id()).isEqualTo(f);
        });
        assertThat(metadata("alone")).satisfies(meta -> {
            assertThat(meta.numCommitsAhead()).isEqualTo(1);
            assertThat(meta.numCommitsBehind()).isEqualTo(3);
            assertThat(meta.commonAncestor()).isEqualTo(CommitId.NO_ANCESTOR);
        });
        for (String plain : List.of("main", "v1")) {
            assertThat(metadata(plain)).satisfies(meta -> {
                assertThat(meta.numCommitsAhead()).isNull();
                assertThat(meta.numCommitsBehind()).isNull();
                assertThat(meta.commonAncestor()).isNull();
                assertThat(meta.numTotalCommits()).isEqualTo(plain.equals("main") ? 3 : 2);
            });
        }
        assertThat(catalog.get().get(ref("empty"), Detail.ALL, UNRESTRICTED).metadata())
                .isNull();
        assertThat(catalog.list()
                        .list(new ReferencesRequest(Detail.ALL, "", 0, ""), UNRESTRICTED)
                        .toList())
                .contains(catalog.get().get(ref("dev"), Detail.ALL, UNRESTRICTED));

        catalog.commits().merge("dev", TestCatalog.MAIN);
        assertThat(metadata("dev").numCommitsAhead())
                .as("a merge changes no first-parent line")
                .isEqualTo(3);
    }

    private ReferenceMetadata metadata(String name) {
        ReferenceMetadata metadata =
                catalog.get().get(ref(name), Detail.ALL, UNRESTRICTED).metadata();
        assertThat(metadata).isNotNull();
        return metadata;
    }

    private Page<ListedReference> page(int maxRecords, String token) {
        return catalog.list().list(new ReferencesRequest(Detail.MINIMAL, "", maxRecords, token), UNRESTRICTED);
    }

    private static List<String> names(Page<ListedReference> page) {
        return page.toList().stream().map(listed -> listed.reference().name()).toList();
    }
}
