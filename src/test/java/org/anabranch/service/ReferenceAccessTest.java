package org.anabranch.service;

import static org.anabranch.testing.Callers.ruled;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.Idempotency;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.refs.Repository;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rules say to changes of references and of settings. */
class ReferenceAccessTest {

    private final MemoryStore store = new MemoryStore();
    private final ReferenceCatalog catalog = new ReferenceCatalog(store);
    private CommitId first;
    private CommitId hidden;

    @BeforeEach
    void fill() {
        first = catalog.commit(MAIN, "a");
        catalog.branch("dev", first);
        catalog.branch("secret", first);
        hidden = catalog.commit("secret", "b");
    }

    private Reference.Named create(String rules, String name, RefSpec source) {
        return catalog.create()
                .create(new ReferenceName(name), ReferenceKind.BRANCH, source, ruled("ann", rules), null);
    }

    private Reference.Named assign(String rules, String reference, RefSpec target) {
        return catalog.assign().assign(ref(reference), null, target, ruled("ann", rules), null);
    }

    private Reference.Named delete(String rules, String reference) {
        return catalog.delete().delete(ref(reference), null, ruled("ann", rules), null);
    }

    private RefusedException refusal(ErrorCode code, ThrowingCallable call) {
        Set<String> before = heads();
        RefusedException refusal = catchThrowableOfType(RefusedException.class, call);
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(heads()).isEqualTo(before);
        return refusal;
    }

    private Set<String> heads() {
        return Set.of(
                MAIN + store.reference(MAIN), "dev" + store.reference("dev"), "secret" + store.reference("secret"));
    }

    private void denied(String message, ThrowingCallable call) {
        assertThat(refusal(ErrorCode.FORBIDDEN, call)).hasMessage("Not allowed for 'ann': " + message);
    }

    @Test
    void eachChangeIsARightOfItsOwn() {
        String read = "allow: [read]\n";
        RefSpec main = ref("main@" + first);
        denied(
                "CREATE_REFERENCE on 'new'",
                () -> create(read + "allow: [create-reference], references: [x]", "new", main));
        assertThat(create(read + "allow: [create-reference], references: [new]", "new", main)
                        .hash())
                .isEqualTo(first);
        denied("ASSIGN_REFERENCE_TO_HASH on 'dev'", () -> assign(read + "allow: [write]", "dev@" + first, main));
        assertThat(assign(read + "allow: [assign-reference]", "dev@" + first, ref("secret@" + hidden))
                        .hash())
                .isEqualTo(hidden);
        denied("DELETE_REFERENCE on 'dev'", () -> delete(read + "allow: [assign-reference]", "dev@" + hidden));
        assertThat(delete(read + "allow: [delete-reference]", "dev@" + hidden).hash())
                .isEqualTo(hidden);
    }

    @Test
    void aReferenceThatMayNotBeSeenIsNotThere() {
        String rules = "allow: [all], references: [main, dev, 'new*', absent]\ndeny: [read-detached]";
        alike(rules, "secret@" + first, reference -> () -> delete(rules, reference));
        alike(rules, "secret@" + first, reference -> () -> assign(rules, reference, ref("main@" + first)));
        alike(rules, "secret@" + hidden, source -> () -> assign(rules, "dev@" + first, ref(source)));
        alike(rules, "secret@" + hidden, source -> () -> create(rules, "new", ref(source)));
    }

    private void alike(String rules, String reference, Function<String, ThrowingCallable> call) {
        RefusedException there = refusal(ErrorCode.REFERENCE_NOT_FOUND, call.apply(reference));
        RefusedException absent =
                refusal(ErrorCode.REFERENCE_NOT_FOUND, call.apply(reference.replace("secret", "absent")));
        assertThat(there.getMessage().replace("secret", "absent")).isEqualTo(absent.getMessage());
        assertThat(there.denial()).contains("VIEW_REFERENCE on 'secret'");
        assertThat(absent.denial()).as("of one that may be seen").isNull();
    }

    @Test
    void whetherANameIsTakenIsNotToldToWhomMayNotSeeIt() {
        String rules =
                "allow: [read], references: [main]\nallow: [create-reference]\ndeny: [read], references: [secret, free]";
        String taken = refusal(ErrorCode.FORBIDDEN, () -> create(rules, "secret", ref("main@" + first)))
                .getMessage();
        String free = refusal(ErrorCode.FORBIDDEN, () -> create(rules, "free", ref("main@" + first)))
                .getMessage();
        assertThat(taken.replace("secret", "free")).isEqualTo(free);
    }

    /** The hash of a hidden branch, and one that no commit has. */
    @Test
    void aHashCountsAsTheReferenceOnlyIfItIsReachedFromThere() {
        String rules = "allow: [read, create-reference, assign-reference], references: [main, dev, new]\n";
        String absent = "ab".repeat(32);
        for (String source : List.of("main@" + hidden, "@" + hidden)) {
            for (boolean assigns : List.of(true, false)) {
                RefusedException there = refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> show(rules, assigns, source));
                RefusedException notThere = refusal(
                        ErrorCode.REFERENCE_NOT_FOUND,
                        () -> show(rules, assigns, source.replace(hidden.toString(), absent)));
                assertThat(there.getMessage().replace(hidden.toString(), absent))
                        .isEqualTo(notThere.getMessage());
                assertThat(there.denial())
                        .contains("READ_DETACHED on 'DETACHED'")
                        .isEqualTo(notThere.denial());
            }
        }
        String detached = rules + "allow: [read-detached]\nallow: [read], references: [DETACHED]";
        assertThat(show(detached, false, "main@" + hidden).hash()).isEqualTo(hidden);
    }

    private Reference.Named show(String rules, boolean assigns, String source) {
        return assigns ? assign(rules, "dev@" + first, ref(source)) : create(rules, "new", ref(source));
    }

    @Test
    void stepsDoNotStartFromWhatMayNotBeSeen() {
        String rules = "allow: [all], references: [dev]\ndeny: [read-detached]";
        String absent = "ab".repeat(32);
        String there = refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> delete(rules, "dev@" + hidden + "~1"))
                .getMessage();
        String notThere = refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> delete(rules, "dev@" + absent + "~1"))
                .getMessage();
        assertThat(there.replace(hidden.toString(), absent)).isEqualTo(notThere);
    }

    /** Whoever may make branches could read by their names what is kept from them elsewhere. */
    @Test
    void aReferenceShowsItsMakerNoMoreThanTheCommitDidBefore() {
        String wide = "allow: [read], references: [main], keys: [a, 'a.*']\n"
                + "allow: [read, create-reference, assign-reference], references: [new, dev]";
        denied(
                "READ_CONTENT_KEY on 'main' of all keys that 'new' would show",
                () -> create(wide, "new", ref("main@" + first)));
        denied(
                "READ_CONTENT_KEY on 'main' of all keys that 'dev' would show",
                () -> assign(wide, "dev@" + first, ref("main@" + first)));
        String alike = "allow: [read], references: [main, new], keys: [a, 'a.*']\n"
                + "allow: [create-reference], references: [new]";
        assertThat(create(alike, "new", ref("main@" + first)).hash()).isEqualTo(first);
    }

    @Test
    void whatIsComparedArePlaces() {
        KeyInterval a = KeyInterval.below(TestCatalog.key("a"));
        KeyInterval aItself = KeyInterval.only(TestCatalog.key("a"));
        KeyInterval both = KeyInterval.keyAndBelow(TestCatalog.key("a"));
        KeyInterval c = KeyInterval.keyAndBelow(TestCatalog.key("c"));
        KeyInterval upToC = new KeyInterval(null, KeyBound.before(TestCatalog.key("c")));
        covers(true, List.of(KeyInterval.ALL), List.of(a, c));
        covers(true, List.of(KeyInterval.ALL), List.of(KeyInterval.ALL));
        covers(true, List.of(), List.of());
        covers(true, List.of(aItself, a), List.of(both));
        covers(true, List.of(both, c), List.of(a, c));
        covers(true, List.of(upToC), List.of(both));
        covers(false, List.of(), List.of(a));
        covers(false, List.of(a), List.of(both));
        covers(false, List.of(both, c), List.of(KeyInterval.ALL));
        covers(false, List.of(c), List.of(a));
        covers(false, List.of(a), List.of(c));
        covers(false, List.of(both, c), List.of(upToC));
        covers(false, List.of(upToC), List.of(KeyInterval.ALL));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsComparedIsComparedPieceByPiece(long seed) {
        Random random = new Random(seed);
        int covered = 0;
        for (int i = 0; i < 2_000; i++) {
            List<KeyBound> bounds = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(n -> KeyBound.before(TestCatalog.key("a" + n)))
                    .toList();
            List<Boolean> all = IntStream.rangeClosed(0, bounds.size())
                    .mapToObj(n -> random.nextInt(4) > 0)
                    .toList();
            List<Boolean> some = IntStream.rangeClosed(0, bounds.size())
                    .mapToObj(n -> random.nextInt(4) == 0)
                    .toList();
            boolean expected =
                    IntStream.rangeClosed(0, bounds.size()).allMatch(piece -> !some.get(piece) || all.get(piece));
            covers(expected, intervals(random, bounds, all), intervals(random, bounds, some));
            covered += expected ? 1 : 0;
        }
        assertThat(covered).isBetween(200, 1_800);
    }

    /** Creating a branch is not to cost what two rules make when they are compared with each other. */
    @Test
    void placesAreLookedAtOnceAndNotAtAllWhereTheSameRulesSpeak() {
        for (int count : List.of(10, 100, 1_000)) {
            AtomicInteger looks = new AtomicInteger();
            List<KeyInterval> places = new AbstractList<>() {
                @Override
                public KeyInterval get(int index) {
                    looks.incrementAndGet();
                    return KeyInterval.keyAndBelow(TestCatalog.key("a%04d".formatted(index)));
                }

                @Override
                public int size() {
                    return count;
                }
            };
            List<KeyInterval> others = List.copyOf(places);
            looks.set(0);
            assertThat(ReferenceQuestions.covers(places, others)).isTrue();
            assertThat(looks).as(count + " on both sides").hasValueLessThanOrEqualTo(2 * count);
        }
        String thousand = IntStream.range(0, 500)
                .mapToObj(n -> "allow: [read], keys: [a%d]\nallow: [read], references: ['team-%d/*']\n".formatted(n, n))
                .collect(Collectors.joining());
        Access access = ruled("ann", thousand + "deny: [read], when: \"path.endsWith('secret')\"");
        VisibleKeys main = access.visible(Check.READ_CONTENT_KEY, MAIN);
        assertThat(main.ranges()).hasSize(500);
        assertThat(access.visible(Check.READ_CONTENT_KEY, "new"))
                .as("nothing is compiled or compared for a name that no rule tells apart")
                .isSameAs(main);
        assertThat(ReferenceQuestions.covers(UNCOMPARED, UNCOMPARED)).isTrue();
    }

    /** Of which nothing may be asked. */
    private static final VisibleKeys UNCOMPARED = new VisibleKeys() {
        @Override
        public boolean shows(ContentKey key, ContentType type) {
            throw new AssertionError("asked of a key");
        }

        @Override
        public List<KeyInterval> ranges() {
            throw new AssertionError("asked for ranges");
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            throw new AssertionError("asked of a range");
        }
    };

    /** Those of the pieces between bounds that count, neighbours as one or as two. */
    private static List<KeyInterval> intervals(Random random, List<KeyBound> bounds, List<Boolean> pieces) {
        List<KeyInterval> intervals = new ArrayList<>();
        for (int piece = 0; piece < pieces.size(); piece++) {
            if (pieces.get(piece)) {
                int first = piece;
                while (piece < bounds.size() && pieces.get(piece + 1) && random.nextBoolean()) {
                    piece++;
                }
                intervals.add(new KeyInterval(
                        first == 0 ? null : bounds.get(first - 1), piece == bounds.size() ? null : bounds.get(piece)));
            }
        }
        return intervals;
    }

    private static void covers(boolean expected, List<KeyInterval> all, List<KeyInterval> some) {
        assertThat(ReferenceQuestions.covers(all, some))
                .as(all + " covers " + some)
                .isEqualTo(expected);
    }

    @Test
    void aRepeatAnswersWhoWroteAndStillMaySeeTheReference() {
        Idempotency key = new Idempotency("k", new byte[] {1});
        String rules = "allow: [read]\nallow: [create-reference], users: [ann]\n";
        Reference.Named created = create("ann", rules, key);
        assertThat(create("ann", rules, key)).isEqualTo(created);
        assertThat(refusal(ErrorCode.FORBIDDEN, () -> create("bob", rules, key)))
                .isNotNull();
        assertThat(refusal(ErrorCode.FORBIDDEN, () -> create("ann", rules + "deny: [read], references: [new]", key)))
                .hasMessageContaining("VIEW_REFERENCE on 'new'");
    }

    private Reference.Named create(String caller, String rules, @Nullable Idempotency key) {
        return catalog.create()
                .create(
                        new ReferenceName("new"),
                        ReferenceKind.BRANCH,
                        ref("main@" + first),
                        ruled(caller, rules),
                        key);
    }

    @Test
    void settingsAreReadAndReplacedByTheirOwnRights() {
        RepositoryConfigs configs =
                new RepositoryConfigs(Repository.open(store, store.repository().orElseThrow()));
        denied("READ_REPOSITORY_CONFIG", () -> configs.read(List.of("GC"), ruled("ann", "allow: [read, admin]")));
        denied(
                "UPDATE_REPOSITORY_CONFIG, READ_REPOSITORY_CONFIG",
                () -> configs.replace("GC", "{}", ruled("ann", "allow: [read]")));
        denied("READ_REPOSITORY_CONFIG", () -> configs.replace("GC", "{}", ruled("ann", "allow: [update-config]")));
        assertThat(configs.replace("GC", "{}", ruled("ann", "allow: [update-config, read-config]")))
                .isEmpty();
        assertThat(configs.read(List.of("GC"), ruled("ann", "allow: [read-config]")))
                .containsEntry("GC", "{}");
    }
}
