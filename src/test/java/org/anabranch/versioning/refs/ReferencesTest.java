package org.anabranch.versioning.refs;

import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Locale;
import org.anabranch.model.CommitId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a client's words lead to, on
 *
 * <pre>
 *   main  a---b-------m---c
 *          \         /
 *   dev     x---y---'
 * </pre>
 */
class ReferencesTest {

    private static final String UNKNOWN = "11".repeat(32);

    private final ReferenceCatalog catalog = new ReferenceCatalog();
    private final References references = catalog.references();
    private final CommitId a = catalog.commit("main", "a");
    private final CommitId x;
    private final CommitId y;
    private final CommitId b;
    private final CommitId m;
    private final CommitId c;

    ReferencesTest() {
        catalog.branch("dev", a);
        x = catalog.commit("dev", "x");
        y = catalog.commit("dev", "y");
        b = catalog.commit("main", "b");
        catalog.commits().merge("dev", TestCatalog.MAIN);
        m = catalog.commits().head("main");
        c = catalog.commit("main", "c");
        catalog.create("v1", ReferenceKind.TAG, y);
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    @ParameterizedTest
    @CsvSource({
        "main, c",
        "-, c",
        "v1@, y",
        "main~1, m",
        "main~2, b",
        "main~0001, m",
        "main~3, a",
        "main~4, none",
        "main~2147483646, none",
        "main~1^1, b",
        "main~1^2, y",
        "main~1^2~1, x",
        "main~1^2^1^1, a",
        "main^2, none",
        "main~1^3, none",
        "main^1^2~1^1~1, none",
        "dev*9999999999999, y",
        "dev*1, none",
        "dev*9999-12-31T23:59:59Z, y",
        "-*9223372036854775807, c"
    })
    void stepsApplyFromLeftToRightAndEndBeforeTheFirstCommit(String text, String expected) {
        assertThat(read(text)).isEqualTo(commit(expected));
    }

    @Test
    void stepsGoFromAHashThatNeedNotBeOnTheReference() {
        assertThat(read("main@" + y)).isEqualTo(y);
        assertThat(read("main@" + y + "~1")).isEqualTo(x);
        assertThat(read("@" + m + "^2~2")).isEqualTo(a);
        assertThat(read("dev@" + CommitId.NO_ANCESTOR)).isEqualTo(CommitId.NO_ANCESTOR);
        assertThat(read("main@" + c.toString().toUpperCase(Locale.ROOT))).isEqualTo(c);
    }

    @Test
    void aTimeIsACommitsOwnOrALaterOne() {
        Commit commit = catalog.commits().commit(b);
        String own = commit.header().commitTime().toString();
        String before = commit.header().commitTime().minusNanos(1).toString();

        assertThat(read("main*" + own)).isEqualTo(b);
        assertThat(read("main*" + before)).isEqualTo(a);
        assertThat(read("main*" + own + "~1")).isEqualTo(a);
    }

    @Test
    void theEffectiveReferenceHasTheNameAndTheCommitRead() {
        assertThat(resolve("-~1").effective()).isEqualTo(new Reference.Named(ReferenceKind.BRANCH, "main", m));
        assertThat(resolve("v1@" + a).effective()).isEqualTo(new Reference.Named(ReferenceKind.TAG, "v1", a));
        assertThat(resolve("DETACHED@" + a).effective()).isEqualTo(new Reference.Detached(a));
    }

    @Test
    void whatIsNotThereIsNotFound() {
        refused(ErrorCode.REFERENCE_NOT_FOUND, "Named reference 'nosuch' not found", () -> read("nosuch@" + a));
        refused(ErrorCode.REFERENCE_NOT_FOUND, "Commit '" + UNKNOWN + "' not found", () -> read("main@" + UNKNOWN));
        String start = c.toString().substring(0, 16);
        refused(ErrorCode.REFERENCE_NOT_FOUND, "Commit '" + start + "' not found", () -> read("main@" + start));
    }

    @ParameterizedTest
    @EnumSource(HashRole.class)
    void aDetachedReadStartsAtAHash(HashRole role) {
        refused(
                ErrorCode.BAD_REQUEST,
                role.label() + " must contain a starting commit ID.",
                () -> references.resolve(ref("@~1"), role));
        refused(
                ErrorCode.BAD_REQUEST,
                role.label() + " must be provided.",
                () -> References.requireUnambiguous(ref("main").commit(), role));
    }

    @Test
    void aFarEndWithoutHashIsToldFromTheHead() {
        ResolvedReference old = resolve("main@" + b);

        assertThat(find(old, "~1")).isEqualTo(m);
        assertThat(find(old, x + "~1")).isEqualTo(a);
        assertThat(references.find(old, HashSpec.parse(UNKNOWN), HashRole.OLDEST))
                .isEmpty();
        refused(ErrorCode.REFERENCE_NOT_FOUND, "Commit '" + UNKNOWN + "' not found", () -> find(old, UNKNOWN + "~1"));
        refused(
                ErrorCode.BAD_REQUEST,
                "Oldest hash must contain a starting commit ID.",
                () -> find(resolve("@" + b), "~1"));
    }

    @Test
    void aWriteExpectsACommitOfTheFirstParentLine() {
        for (CommitId expected : List.of(c, m, b, a, CommitId.NO_ANCESTOR)) {
            assertThat(target("main@" + expected).expected().id()).isEqualTo(expected);
        }
        assertThat(target("main@" + c + "~2").expected().id()).isEqualTo(b);
        assertThat(target("-@" + c).row().name()).isEqualTo("main");
        assertThat(target("main@" + a).head().id()).isEqualTo(c);

        for (String elsewhere : List.of(y.toString(), UNKNOWN)) {
            refused(
                    ErrorCode.REFERENCE_NOT_FOUND,
                    "Could not find commit '" + elsewhere + "' in reference 'main'.",
                    () -> target("main@" + elsewhere));
        }
    }

    @Test
    void stepsToWhatAWriteExpectsMayStartBesideTheBranch() {
        assertThat(target("dev@" + c + "~3").expected().id()).isEqualTo(a);
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Could not find commit '" + m + "' in reference 'dev'.",
                () -> target("dev@" + c + "~1"));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Commit '" + UNKNOWN + "' not found",
                () -> target("dev@" + UNKNOWN + "~1"));
    }

    @ParameterizedTest
    @CsvSource({"COMMIT, commit", "MERGE, merge", "TRANSPLANT, transplant"})
    void aWriteGoesToABranch(BranchUse use, String verb) {
        for (RefSpec other : List.of(ref("v1@" + y), ref("v1"), ref("@" + y))) {
            refused(
                    ErrorCode.BAD_REQUEST,
                    "Reference to " + verb + " into must be a branch.",
                    () -> references.requireBranch(other, use));
        }
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected hash must be provided.",
                () -> references.requireBranch(ref("main"), use));
        refused(
                ErrorCode.BAD_REQUEST,
                "Expected hash must contain a starting commit ID.",
                () -> references.requireBranch(ref("main~1"), use));
        refused(
                ErrorCode.REFERENCE_NOT_FOUND,
                "Named reference 'nosuch' not found",
                () -> references.requireBranch(ref("nosuch"), use));
    }

    private CommitId commit(String name) {
        return switch (name) {
            case "a" -> a;
            case "b" -> b;
            case "c" -> c;
            case "m" -> m;
            case "x" -> x;
            case "y" -> y;
            default -> CommitId.NO_ANCESTOR;
        };
    }

    private ResolvedReference resolve(String text) {
        return references.resolve(ref(text), HashRole.EXPECTED);
    }

    private CommitId read(String text) {
        return resolve(text).commit().id();
    }

    private CommitId find(ResolvedReference reference, String text) {
        return references
                .find(reference, HashSpec.parse(text), HashRole.OLDEST)
                .orElseThrow()
                .id();
    }

    private BranchTarget target(String text) {
        return references.requireBranch(ref(text), BranchUse.COMMIT);
    }

    private static void refused(ErrorCode code, String message, ThrowingCallable call) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
    }
}
