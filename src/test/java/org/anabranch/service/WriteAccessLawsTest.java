package org.anabranch.service;

import static org.anabranch.testing.Callers.ruled;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RevertRequest;
import org.anabranch.model.TransplantRequest;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.security.Via;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.Callers;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes under random rules. Who may do everything writes the same history as who is not asked; who may not changes no key
 * that the rules keep from them, whatever others write meanwhile, and is told of none that they may not read.
 *
 * <p>Set the number of seeds with {@code -Dmodel.seeds=N}.
 */
class WriteAccessLawsTest {

    private static final String SIDE = "side";
    private static final int STEPS = 40;

    /** How often each ending was met, so that the laws are not about one of them alone. */
    private static int denials;

    private static int writes;

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("model.seeds", 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoMayDoEverythingIsAsIfNobodyWereAsked(int seed) {
        List<String> free = history(seed, Callers.UNRESTRICTED);
        assertThat(history(seed, ruled("", "allow: [all]"))).isEqualTo(free);
        assertThat(history(seed, ruled("", "allow: [read, write, force]"))).isEqualTo(free);
    }

    /** All outcomes and the heads after each step. */
    private static List<String> history(int seed, Access access) {
        try (TestCatalog catalog = new TestCatalog()) {
            catalog.actAs(access);
            Random random = new Random(seed);
            RandomHistory changes = new RandomHistory(catalog, random);
            changes.fill(MAIN, 30);
            catalog.branch(SIDE, MAIN);
            List<String> told = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                told.add(outcome(write(catalog, changes, random, access)) + " " + catalog.head(MAIN));
                changes.change(SIDE);
            }
            return told;
        }
    }

    private static String outcome(Supplier<Object> write) {
        try {
            return String.valueOf(write.get());
        } catch (RefusedException refusal) {
            return refusal.code() + " " + refusal.getMessage();
        }
    }

    private static HashSpec hash(CommitId commit) {
        return new HashSpec(commit.toString(), List.of());
    }

    /** A random write to the main branch, by what it and the other branch hold now. */
    private static Supplier<Object> write(TestCatalog catalog, RandomHistory changes, Random random, Access access) {
        CommitId head = catalog.head(MAIN);
        CommitId source = catalog.head(SIDE);
        MergeMode mode = MergeMode.values()[random.nextInt(10) < 7 ? 0 : random.nextInt(3)];
        return switch (random.nextInt(5)) {
            case 0 -> {
                MergeRequest request = new MergeRequest(
                        at(MAIN, head), at(SIDE, source), GivenMeta.ofMessage(""), mode, List.of(), false);
                yield () -> catalog.merge(request, access);
            }
            case 1 -> {
                TransplantRequest request = new TransplantRequest(
                        at(MAIN, head), SIDE, List.of(hash(source)), null, mode, List.of(), false);
                yield () -> catalog.transplant(request, access);
            }
            case 2 -> {
                CommitId reverted = catalog.log(MAIN).get(0).id();
                RevertRequest request = new RevertRequest(
                        at(MAIN, head),
                        new RevertRequest.OfCommit(hash(reverted)),
                        GivenMeta.ofMessage(""),
                        mode,
                        List.of(),
                        false);
                yield () -> catalog.revert(request, access);
            }
            default -> {
                Operation[] operations = changes.operations(MAIN);
                if (operations.length == 0) {
                    yield () -> "nothing";
                }
                CommitRequest request =
                        new CommitRequest(at(MAIN, head), GivenMeta.ofMessage("commit"), List.of(operations));
                yield () -> catalog.commit(request, access);
            }
        };
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatTheRulesKeepIsKept(int seed) {
        Random random = new Random(seed);
        MemoryStore memory = new MemoryStore();
        FaultyStore store = new FaultyStore(memory);
        try (TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0);
                TestCatalog others = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000)) {
            RandomHistory foreign = new RandomHistory(others, random);
            RandomHistory changes = new RandomHistory(catalog, random);
            foreign.fill(MAIN, 10);
            others.branch(SIDE, MAIN);
            for (int step = 0; step < STEPS; step++) {
                foreign.change(random.nextBoolean() ? SIDE : MAIN);
                String rules = rules(random);
                Access access = ruled("ann", rules);
                Supplier<Object> write = write(catalog, changes, random, access);
                List<CommitId> before = new ArrayList<>(List.of(catalog.head(MAIN)));
                if (random.nextBoolean()) {
                    store.foreignFirst(store.writes() + 1, () -> {
                        if (random.nextBoolean()) {
                            others.merge(SIDE, MAIN, MergeMode.FORCE, false);
                        }
                        foreign.change(MAIN);
                        before.add(others.head(MAIN));
                    });
                }
                Object told;
                try {
                    told = write.get();
                } catch (RefusedException refusal) {
                    told = refusal;
                }
                store.heal();
                check(catalog, access, before, told, "step " + step + " by\n" + rules + "\n" + told);
            }
        }
    }

    /** What one rule may be about: some keys, or all of them. */
    private static String rules(Random random) {
        List<String> rules = new ArrayList<>();
        for (String right : List.of("read", "read", "create", "update", "delete", "merge", "merge", "force")) {
            String references = right.equals("read") ? random.nextBoolean() ? "[main, side]" : "[side]" : "[main]";
            rules.add("allow: [" + right + "], references: " + references + keys(random));
        }
        if (random.nextInt(3) == 0) {
            rules.add("allow: [read], references: [main, side]");
        }
        if (random.nextInt(4) == 0) {
            rules.add("deny: [" + (random.nextBoolean() ? "read" : "write") + "], references: [main], keys: ["
                    + RandomHistory.KEYS.get(random.nextInt(RandomHistory.KEYS.size())) + "]");
        }
        return String.join("\n", rules);
    }

    private static String keys(Random random) {
        if (random.nextInt(2) == 0) {
            return "";
        }
        Set<String> keys = new TreeSet<>();
        for (int i = 0; i < 6; i++) {
            ContentKey key = RandomHistory.KEYS.get(random.nextInt(RandomHistory.KEYS.size()));
            keys.add(key + (random.nextInt(4) == 0 ? ".*" : ""));
        }
        return ", keys: [" + String.join(", ", keys) + "]";
    }

    private static void check(TestCatalog catalog, Access access, List<CommitId> before, Object told, String what) {
        CommitId after = catalog.head(MAIN);
        CommitId parent = before.get(before.size() - 1);
        if (told instanceof RefusedException || after.equals(parent)) {
            assertThat(before).as(what).contains(after);
            if (told instanceof RefusedException refusal && refusal.code() == ErrorCode.FORBIDDEN) {
                denials++;
            }
            if (!(told instanceof RefusedException refusal)
                    || !refusal.getMessage().contains("Key '")) {
                checkSecrets(catalog, access, told, what);
            }
            return;
        }
        writes++;
        boolean isCommit = told instanceof CommitOutcome;
        checkChanges(
                catalog.contents(parent), catalog.contents(after), access, isCommit ? Via.COMMIT : Via.MERGE, what);
    }

    private static void checkChanges(
            Map<ContentKey, Content> before, Map<ContentKey, Content> after, Access access, Via via, String what) {
        Set<ContentId> known = before.values().stream().map(Content::id).collect(Collectors.toSet());
        Set<ContentKey> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (ContentKey key : keys) {
            Content old = before.get(key);
            Content now = after.get(key);
            if (Objects.equals(old, now)) {
                continue;
            }
            boolean goesOn = old != null && now != null && old.id().equals(now.id());
            if (old != null && !goesOn) {
                require(access, Check.DELETE_ENTITY, key, old, via, what);
            }
            if (now != null) {
                Check check = goesOn || known.contains(now.id()) ? Check.UPDATE_ENTITY : Check.CREATE_ENTITY;
                require(access, check, key, now, via, what);
            }
        }
    }

    private static void require(Access access, Check check, ContentKey key, Content content, Via via, String what) {
        assertThat(access.allows(Question.ofKey(check, MAIN, key, content.type(), via)))
                .as("%s %s: %s", check, key, what)
                .isTrue();
    }

    /** Keys that nobody named and that may be read nowhere; a namespace that is missing is named by what is below it. */
    private static void checkSecrets(TestCatalog catalog, Access access, Object told, String what) {
        if (!(told instanceof RefusedException) && !(told instanceof MergeOutcome)) {
            return;
        }
        String text = String.valueOf(told);
        if (text.contains("namespace")) {
            return;
        }
        Set<ContentKey> keys = new TreeSet<>(catalog.contents(MAIN).keySet());
        keys.addAll(catalog.contents(SIDE).keySet());
        for (ContentKey key : keys) {
            boolean isRead = List.of(MAIN, SIDE).stream()
                    .anyMatch(branch -> access.allows(Question.ofKey(Check.READ_CONTENT_KEY, branch, key, null)));
            if (!isRead && told instanceof MergeOutcome outcome) {
                assertThat(text).as(what).doesNotContain("'" + key + "'");
                assertThat(listed(outcome)).as(what).doesNotContain(key);
            }
        }
    }

    private static List<ContentKey> listed(MergeOutcome outcome) {
        Optional<MergeOutcome.Report> report =
                switch (outcome) {
                    case MergeOutcome.Merged merged -> Optional.of(merged.report());
                    case MergeOutcome.NothingToDo nothing -> Optional.of(nothing.report());
                    case MergeOutcome.WouldMerge rehearsed -> Optional.of(rehearsed.report());
                    case MergeOutcome.Conflicted conflicted -> Optional.of(conflicted.report());
                    default -> Optional.empty();
                };
        return report.map(MergeOutcome.Report::keys).orElse(List.of()).stream()
                .map(MergeOutcome.KeyResult::key)
                .toList();
    }

    @AfterAll
    static void bothEndingsAreMet() {
        assertThat(denials).as("writes that were denied").isGreaterThan(STEPS);
        assertThat(writes).as("writes that were made").isGreaterThan(STEPS);
    }
}
