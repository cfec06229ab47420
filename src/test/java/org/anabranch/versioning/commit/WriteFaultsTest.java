package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A day in the life of a branch, with every fault at every write: afterwards the branch is where it was or where it should be,
 * and a client that repeats what was refused finds everything applied once.
 */
class WriteFaultsTest {

    /** One request: takes the catalog, gives the head that it made. */
    private record Step(String message, Function<TestCatalog, CommitId> request) {}

    private static final ContentId ANY = new ContentId(new UUID(0, 0));

    private static final List<Step> DAY = List.of(
            step("create", catalog -> commit(catalog, "create", put("n", namespace()), put("n.a", table("a0")))),
            step("update", catalog -> commit(catalog, "update", put("n.a", table("a1"), catalog.id(MAIN, "n.a")))),
            step(
                    "merge",
                    catalog -> merged(catalog.merge(new MergeRequest(
                            at(MAIN, catalog.head(MAIN)),
                            at("side", catalog.head("side")),
                            GivenMeta.ofMessage("merge"),
                            MergeMode.NORMAL,
                            List.of(),
                            false)))),
            step(
                    "rename",
                    catalog ->
                            commit(catalog, "rename", delete("n.a"), put("n.b", table("a2"), catalog.id(MAIN, "n.a")))),
            step(
                    "transplant",
                    catalog -> merged(catalog.transplant(new TransplantRequest(
                            at(MAIN, catalog.head(MAIN)),
                            null,
                            List.of(new HashSpec(catalog.head("other side").toString(), List.of())),
                            "transplant",
                            MergeMode.NORMAL,
                            List.of(),
                            false)))),
            step("delete", catalog -> commit(catalog, "delete", delete("n.b"))));

    private static Step step(String message, Function<TestCatalog, CommitId> request) {
        return new Step(message, request);
    }

    private static CommitId commit(TestCatalog catalog, String message, Operation... operations) {
        return ((Committed) catalog.commit(MAIN, catalog.head(MAIN), message, operations)).head();
    }

    private static CommitId merged(MergeOutcome outcome) {
        return ((Merged) outcome).head();
    }

    /** The branches that the day starts with. */
    private static MemoryStore morning() {
        MemoryStore memory = new MemoryStore();
        TestCatalog catalog = new TestCatalog(memory);
        catalog.commit(MAIN, CommitId.NO_ANCESTOR, "base", put("base", table("base")));
        catalog.branch("side", MAIN);
        catalog.commit("side", put("s", namespace()), put("s.t", table("side")));
        catalog.branch("other side", MAIN);
        catalog.commit("other side", put("picked", table("picked")));
        return memory;
    }

    static Stream<Arguments> faults() {
        return EnumSet.allOf(Fault.class).stream()
                .flatMap(fault -> IntStream.rangeClosed(1, DAY.size()).mapToObj(write -> Arguments.of(fault, write)));
    }

    static Stream<Arguments> writes() {
        return IntStream.rangeClosed(1, DAY.size()).mapToObj(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everythingIsAppliedOnce(Fault fault, int write) {
        MemoryStore memory = morning();
        FaultyStore store = new FaultyStore(memory).at(write, fault);
        assertThat(liveThrough(memory, store)).isEqualTo(undisturbed());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void alsoIfItHappensTwice(Fault fault, int write) {
        MemoryStore memory = morning();
        FaultyStore store = new FaultyStore(memory).at(write, fault).at(write + 1, fault);
        assertThat(liveThrough(memory, store)).isEqualTo(undisturbed());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void alsoIfSomebodyElseCommitsFirst(int write) {
        MemoryStore memory = morning();
        TestCatalog foreign = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);
        FaultyStore store =
                new FaultyStore(memory).foreignFirst(write, () -> foreign.commit(MAIN, put("foreign", table("x"))));
        SortedMap<ContentKey, Content> contents = liveThrough(memory, store);
        assertThat(contents).containsKey(TestCatalog.key("foreign"));
        contents.remove(TestCatalog.key("foreign"));
        assertThat(contents).isEqualTo(undisturbed());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void alsoIfSomebodyElseCommitsAfterAnUnknownOutcome(Fault fault, int write) {
        MemoryStore memory = morning();
        TestCatalog foreign = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);
        FaultyStore store = new FaultyStore(memory)
                .at(write, fault)
                .foreignFirst(write + 1, () -> foreign.commit(MAIN, put("foreign", table("x"))));
        SortedMap<ContentKey, Content> contents = liveThrough(memory, store);
        contents.remove(TestCatalog.key("foreign"));
        assertThat(contents).isEqualTo(undisturbed());
    }

    private static SortedMap<ContentKey, Content> undisturbed() {
        MemoryStore memory = morning();
        return liveThrough(memory, new FaultyStore(memory));
    }

    /** Runs the day as a client does that repeats what it was refused, and checks the branch after each step. */
    private static SortedMap<ContentKey, Content> liveThrough(MemoryStore memory, FaultyStore store) {
        TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 100);
        for (Step step : DAY) {
            CommitId before = catalog.head(MAIN);
            CommitId made;
            while (true) {
                try {
                    made = step.request().apply(catalog);
                    break;
                } catch (StoreUnavailableException unavailable) {
                    assertThat(catalog.head(MAIN)).isEqualTo(before);
                }
            }
            assertThat(catalog.log(MAIN)).extracting(Commit::id).contains(made);
        }
        assertThat(catalog.log(MAIN).reversed())
                .extracting(commit -> commit.requireMeta().message())
                .filteredOn(
                        message -> DAY.stream().anyMatch(step -> step.message().equals(message)))
                .isEqualTo(DAY.stream().map(Step::message).toList());
        SortedMap<ContentKey, Content> contents = catalog.contents(MAIN);
        // A repeated request gives its contents other ids than the refused one did.
        contents.replaceAll((key, content) -> content.withId(ANY));
        return contents;
    }
}
