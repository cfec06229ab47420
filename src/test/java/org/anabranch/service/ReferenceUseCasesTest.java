package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.Detail;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.testing.ReferenceCatalog;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused and why, in which order, and what is answered. */
class ReferenceUseCasesTest {

    private static final String UNKNOWN = "11".repeat(32);

    private final ReferenceCatalog catalog = new ReferenceCatalog();
    private final CommitId first = catalog.commit("main", "a");
    private final CommitId second = catalog.commit("main", "b");

    @AfterEach
    void close() {
        catalog.close();
    }

    @Test
    void createStartsWhereTheSourceSays() {
        assertThat(catalog.branch("dev", first)).isEqualTo(branch("dev", first));
        assertThat(catalog.create("v1", ReferenceKind.TAG, CommitId.NO_ANCESTOR))
                .isEqualTo(new Reference.Named(ReferenceKind.TAG, "v1", CommitId.NO_ANCESTOR));
        assertThat(catalog.create()
                        .create(name("old"), ReferenceKind.BRANCH, ref("main@" + second + "~1"), UNRESTRICTED, null))
                .isEqualTo(branch("old", first));
        assertThat(catalog.create().create(name("free"), ReferenceKind.BRANCH, ref("@" + first), UNRESTRICTED, null))
                .isEqualTo(branch("free", first));
        assertThat(catalog.get().get(ref("dev"), Detail.MINIMAL, UNRESTRICTED).reference())
                .isEqualTo(branch("dev", first));
    }

    @Test
    void createNeedsAHashAndASourceThatExist() {
        refused(ErrorCode.BAD_REQUEST, "Target hash must be provided.", () -> create("dev", null));
        refused(ErrorCode.BAD_REQUEST, "Target hash must be provided.", () -> create("dev", "main"));
        refused(ErrorCode.BAD_REQUEST, "Target hash must contain a starting commit ID.", () -> create("dev", "main~1"));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'nosuch' not found",
                () -> create("dev", "nosuch@" + first));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Commit '" + UNKNOWN + "' not found",
                () -> create("dev", "main@" + UNKNOWN));
        refused(ErrorCode.REFERENCE_NOT_FOUND, "Commit '12345678' not found", () -> create("dev", "main@12345678"));
    }

    @Test
    void branchesAndTagsShareTheirNames() {
        catalog.branch("dev", first);

        refused(
                ErrorCode.REFERENCE_ALREADY_EXISTS,
                "Named reference 'dev' already exists.",
                () -> catalog.branch("dev", first));
        refused(
                ErrorCode.REFERENCE_ALREADY_EXISTS,
                "Named reference 'dev' already exists.",
                () -> catalog.create("dev", ReferenceKind.TAG, first));
        refused(
                ErrorCode.REFERENCE_ALREADY_EXISTS,
                "Named reference 'main' already exists.",
                () -> create("main", "main@" + CommitId.NO_ANCESTOR));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "HEAD",
                "Head",
                "DETACHED",
                "detached",
                "deadbeef",
                "deadbeef1",
                "1a",
                "a..b",
                "a/",
                "a.",
                "grün",
                "a b",
                "a@b"
            })
    void namesThatWouldBeReadAsSomethingElseAreNone(String name) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new ReferenceName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "deadbee", "a/b//c", "a-b_c.d", "headache", "deadbeefg"})
    void otherNamesAreFine(String name) {
        assertThat(catalog.branch(name, first)).isEqualTo(branch(name, first));
    }

    @Test
    void getTakesANameAndNothingElse() {
        assertThat(catalog.get().get(ref("-"), Detail.MINIMAL, UNRESTRICTED).reference())
                .isEqualTo(branch("main", second));
        assertThat(catalog.get().get(ref("main@"), Detail.MINIMAL, UNRESTRICTED).reference())
                .isEqualTo(branch("main", second));
        for (String text : List.of("main@" + first, "main~1", "@" + first)) {
            refused(
                    ErrorCode.BAD_REQUEST,
                    "Hashes are not allowed when fetching a reference by name",
                    () -> catalog.get().get(ref(text), Detail.MINIMAL, UNRESTRICTED));
        }
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'nosuch' not found",
                () -> catalog.get().get(ref("nosuch"), Detail.MINIMAL, UNRESTRICTED));
    }

    @Test
    void assignMovesBranchesAndTagsAnywhere() {
        catalog.branch("dev", first);
        catalog.create("v1", ReferenceKind.TAG, first);

        assertThat(assign("dev@" + first, null, "main@" + second)).isEqualTo(branch("dev", second));
        assertThat(assign("dev@" + second, null, "main@" + second)).isEqualTo(branch("dev", second));
        assertThat(assign("v1@" + first, ReferenceKind.TAG, "@" + second).hash())
                .isEqualTo(second);
    }

    @Test
    void assignChecksInOrder() {
        catalog.branch("dev", second);
        String good = "@" + first;

        refused(
                ErrorCode.BAD_REQUEST,
                "Assignment target must be a branch or a tag.",
                () -> assign("@" + first, null, good));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'nosuch' not found",
                () -> assign("nosuch@" + first, null, good));
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected reference type TAG does not match existing reference 'dev' of type BRANCH.",
                () -> assign("dev", ReferenceKind.TAG, good));
        refused(ErrorCode.BAD_REQUEST, "Expected hash must be provided.", () -> assign("dev", null, good));
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected hash must contain a starting commit ID.",
                () -> assign("dev~1", null, good));
        refused(ErrorCode.BAD_REQUEST, "Target hash must be provided.", () -> assign("dev@" + first, null, "main"));
        refused(
                ErrorCode.BAD_REQUEST,
                "Target hash must contain a starting commit ID.",
                () -> assign("dev@" + first, null, "main~1"));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Commit '" + UNKNOWN + "' not found",
                () -> assign("dev@" + first, null, "@" + UNKNOWN));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Commit '" + UNKNOWN + "' not found",
                () -> assign("dev@" + UNKNOWN + "~1", null, good));
    }

    @Test
    void theExpectedHashIsExact() {
        catalog.branch("dev", second);

        for (String expected : List.of("dev@" + first, "dev@" + second + "~1")) {
            unexpectedHash(first.toString(), () -> assign(expected, null, "@" + first));
            unexpectedHash(first.toString(), () -> catalog.delete().delete(ref(expected), null, UNRESTRICTED, null));
        }
        unexpectedHash(UNKNOWN, () -> assign("dev@" + UNKNOWN, null, "@" + first));
        unexpectedHash(UNKNOWN, () -> catalog.delete().delete(ref("dev@" + UNKNOWN), null, UNRESTRICTED, null));
        assertThat(catalog.get().get(ref("dev"), Detail.MINIMAL, UNRESTRICTED).reference())
                .isEqualTo(branch("dev", second));
    }

    @Test
    void deleteFreesTheNameAtOnce() {
        catalog.branch("dev", first);

        assertThat(catalog.delete().delete(ref("dev@" + second + "~1"), ReferenceKind.BRANCH, UNRESTRICTED, null))
                .isEqualTo(branch("dev", first));
        assertThat(catalog.create("dev", ReferenceKind.TAG, second).kind()).isEqualTo(ReferenceKind.TAG);
    }

    @Test
    void deleteChecksInOrder() {
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'DETACHED' not found",
                () -> catalog.delete().delete(ref("@" + first), null, UNRESTRICTED, null));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'nosuch' not found",
                () -> catalog.delete().delete(ref("nosuch"), ReferenceKind.TAG, UNRESTRICTED, null));
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected reference type TAG does not match existing reference 'main' of type BRANCH.",
                () -> catalog.delete().delete(ref("-"), ReferenceKind.TAG, UNRESTRICTED, null));
        refused(
                ErrorCode.BAD_REQUEST,
                "Default branch 'main' cannot be deleted.",
                () -> catalog.delete().delete(ref("-"), null, UNRESTRICTED, null));
        catalog.branch("dev", first);
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected hash must be provided.",
                () -> catalog.delete().delete(ref("dev"), null, UNRESTRICTED, null));
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected hash must contain a starting commit ID.",
                () -> catalog.delete().delete(ref("dev~1"), null, UNRESTRICTED, null));
    }

    private void unexpectedHash(String expected, ThrowingCallable call) {
        String clause = "amed-reference 'dev' is not at expected hash '" + expected + "', but at '" + second + "'";
        RefusedException refused = refused(ErrorCode.REFERENCE_CONFLICT, "N" + clause + ".", call);
        assertThat(refused.conflicts()).containsExactly(new Conflict(ConflictType.UNEXPECTED_HASH, null, "n" + clause));
    }

    private static RefusedException refused(ErrorCode code, String message, ThrowingCallable call) {
        RefusedException[] refused = new RefusedException[1];
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code))
                .satisfies(thrown -> refused[0] = thrown);
        return refused[0];
    }

    private Reference.Named create(String name, @Nullable String source) {
        return catalog.create()
                .create(name(name), ReferenceKind.BRANCH, source == null ? null : ref(source), UNRESTRICTED, null);
    }

    private Reference.Named assign(String reference, @Nullable ReferenceKind kind, String target) {
        return catalog.assign().assign(ref(reference), kind, ref(target), UNRESTRICTED, null);
    }

    private static ReferenceName name(String name) {
        return new ReferenceName(name);
    }

    private static Reference.Named branch(String name, CommitId at) {
        return new Reference.Named(ReferenceKind.BRANCH, name, at);
    }
}
