package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.Callers.ruled;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.KeySelection;
import org.anabranch.model.ListedReference;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Page;
import org.anabranch.model.RecentHeads;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferencesRequest;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.service.ReadContents.Purpose;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.read.ContentReader;
import org.anabranch.versioning.read.DiffReader;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.read.HistoryReader;
import org.anabranch.versioning.read.KeyHistoryReader;
import org.anabranch.versioning.refs.References;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the rules say to reads. Of branch {@code secret} one commit was merged into main, and one was not:
 *
 * <pre>
 *   main   first --- second --- merge --- head
 *               \              /
 *   secret       merged -------- hidden
 * </pre>
 */
class ReadAccessTest {

    private static final String UNKNOWN = "0123456789abcdef".repeat(4);

    /** Reads main alone. */
    private static final String OF_MAIN = "allow: [read], references: [main]";

    /** Reads main, but what lies below hr. */
    private static final String NOT_HR = OF_MAIN + "\ndeny: [read], keys: ['hr.*']";

    private final MemoryStore store = new MemoryStore();
    private final ReferenceCatalog references = new ReferenceCatalog(store);
    private final TestCatalog catalog = references.commits();
    private final CommitGraph graph = new CommitGraph(catalog.objects());
    private final KeyIndex index = new KeyIndex(catalog.objects());
    private final Filters filters = new Filters(FilterLimits.DEFAULT, InstantSource.system());
    private final References resolver = new References(store, catalog.objects(), graph, MAIN);
    private final EntryReader entryReader = new EntryReader(graph, index, catalog.objects(), filters);
    private final ChildReader childReader = new ChildReader(graph, index, catalog.objects());

    private final ListEntries entries = new ListEntries(resolver, entryReader);
    private final ListLastChanges lastChanges = new ListLastChanges(resolver, entryReader);
    private final ListChildren children = new ListChildren(resolver, childReader);
    private final CountKeys counts = new CountKeys(resolver, childReader);
    private final ReadContents contents = new ReadContents(resolver, new ContentReader(index, catalog.objects()));
    private final DiffReferences diffs =
            new DiffReferences(resolver, new DiffReader(index, catalog.objects(), filters));
    private final ReadHistory histories =
            new ReadHistory(resolver, new HistoryReader(resolver, graph, index, catalog.objects(), filters));
    private final ReadKeyHistory keyHistories =
            new ReadKeyHistory(resolver, new KeyHistoryReader(graph, index, catalog.objects()));

    private CommitId first;
    private CommitId merged;
    private CommitId hidden;

    @BeforeEach
    void fill() {
        catalog.commit(MAIN, put("hr", namespace()), put("hr.pay", table("1")), put("sales", namespace()));
        first = catalog.commit(MAIN, put("sales.a", table("1")), put("z", table("1")));
        catalog.branch("secret", MAIN);
        catalog.commit(MAIN, put("sales.b", table("1")), put("hr.bonus", table("1")));
        merged = catalog.commit("secret", put("sales.c", table("1")));
        catalog.merge("secret", MAIN);
        hidden = catalog.commit("secret", put("sales.d", table("1")), put("hr.plan", table("1")));
        catalog.commit(MAIN, put("hr.pay", table("2"), catalog.id(MAIN, "hr.pay")));
    }

    private static Access ann(String rules) {
        return ruled("ann", rules);
    }

    /** Every read that starts from a commit, by what it is called. */
    private Map<String, BiFunction<RefSpec, Access, Object>> reads() {
        Map<String, BiFunction<RefSpec, Access, Object>> reads = new LinkedHashMap<>();
        reads.put(
                "entries",
                (at, who) -> entries.list(entries(at, ""), who).entries().toList());
        reads.put(
                "last changes",
                (at, who) -> lastChanges.list(entries(at, ""), who).entries().toList());
        reads.put(
                "children",
                (at, who) -> children.list(new ChildrenRequest(at, key("sales"), Detail.ALL, 0, ""), who)
                        .children()
                        .toList());
        reads.put("count", (at, who) -> counts.count(at, null, who).count());
        reads.put("content", (at, who) -> contents.read(at, key("sales.a"), Purpose.READ, who));
        reads.put(
                "contents",
                (at, who) -> contents.read(at, List.of(key("sales.a"), key("z")), Purpose.READ, who)
                        .contents()
                        .toList());
        reads.put(
                "log",
                (at, who) ->
                        histories.read(log(at, Detail.MINIMAL, "", ""), who).toList());
        reads.put(
                "key history",
                (at, who) -> keyHistories
                        .read(new KeyHistoryRequest(at, key("sales.a"), Detail.MINIMAL, 0, ""), who)
                        .toList());
        reads.put(
                "diff from",
                (at, who) -> diffs.diff(diff(at, ref(MAIN)), who).diffs().toList());
        reads.put(
                "diff to",
                (at, who) -> diffs.diff(diff(ref(MAIN), at), who).diffs().toList());
        return reads;
    }

    private static EntriesRequest entries(RefSpec at, String token) {
        return new EntriesRequest(at, KeySelection.ALL, Detail.ALL, "", 0, token);
    }

    private static HistoryRequest log(RefSpec at, Detail detail, String filter, String token) {
        return new HistoryRequest(at, detail, null, filter, 0, token);
    }

    private static DiffRequest diff(RefSpec from, RefSpec to) {
        return new DiffRequest(from, to, KeySelection.ALL, "", 0, "");
    }

    private static RefusedException refusal(ErrorCode code, ThrowingCallable call) {
        RefusedException refusal = catchThrowableOfType(RefusedException.class, call);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        return refusal;
    }

    /** Checks that two requests are refused in the same words, but for what they name themselves, and denied alike. */
    private static void alike(
            String what, ThrowingCallable there, String name, ThrowingCallable absent, String otherName) {
        RefusedException refusal = refusal(ErrorCode.REFERENCE_NOT_FOUND, there);
        RefusedException other = refusal(ErrorCode.REFERENCE_NOT_FOUND, absent);
        assertThat(refusal.getMessage().replace(name, otherName)).as(what).isEqualTo(other.getMessage());
        assertThat(refusal.denial()).as(what).startsWith("Not allowed for 'ann': ");
        assertThat(refusal.denial().replace(name, otherName)).as(what).isEqualTo(other.denial());
    }

    @Test
    void aReferenceThatMayNotBeSeenIsNotThere() {
        Access ann = ann(OF_MAIN);
        for (String hash : List.of("", "@" + first, "@" + hidden, "@" + UNKNOWN, "~1", "@" + hidden + "~1")) {
            reads().forEach((what, read) -> alike(
                    what + hash,
                    () -> read.apply(ref("secret" + hash), ann),
                    "secret",
                    () -> read.apply(ref("absent" + hash), ann),
                    "absent"));
        }
        alike(
                "reference",
                () -> references.get().get(ref("secret"), Detail.ALL, ann),
                "secret",
                () -> references.get().get(ref("absent"), Detail.ALL, ann),
                "absent");
        alike(
                "recent changes",
                () -> references.recentChanges().read(ref("secret"), 10, ann),
                "secret",
                () -> references.recentChanges().read(ref("absent"), 10, ann),
                "absent");
    }

    @Test
    void aHashCountsAsTheReferenceOnlyIfThatReachesIt() {
        Access ann = ann(OF_MAIN);
        String head = catalog.head(MAIN).toString();
        reads().forEach((what, read) -> {
            for (String reached : List.of("", "@" + head, "@" + first, "~1", "@" + head + "~2", "@" + merged)) {
                assertThat(read.apply(ref(MAIN + reached), ann))
                        .as(what + reached)
                        .isEqualTo(read.apply(ref(MAIN + reached), UNRESTRICTED));
            }
            for (String start : List.of("main@", "@")) {
                for (String steps : List.of("", "~1", "^1", "*2030-01-01T00:00:00Z")) {
                    alike(
                            what,
                            () -> read.apply(ref(start + hidden + steps), ann),
                            hidden.toString(),
                            () -> read.apply(ref(start + UNKNOWN + steps), ann),
                            UNKNOWN);
                }
            }
            refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> read.apply(ref("@" + first), ann));
        });
    }

    @Test
    void detachedCommitsAreARightOfTheirOwnAndHaveRulesOfTheirOwn() {
        Access ann = ann(OF_MAIN + "\nallow: [read-detached]\nallow: [read], references: [DETACHED], keys: [sales.d]");
        for (String spec : List.of("main@" + hidden, "@" + hidden)) {
            assertThat(entries.list(entries(ref(spec), ""), ann).entries().toList())
                    .extracting(entry -> entry.key())
                    .containsExactly(key("sales.d"));
            refusal(ErrorCode.FORBIDDEN, () -> contents.read(ref(spec), key("sales.a"), Purpose.READ, ann));
        }
        assertThat(entries.list(entries(ref("main@" + first), ""), ann)
                        .entries()
                        .toList())
                .hasSizeGreaterThan(1);
        refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> entries.list(entries(ref("@" + UNKNOWN), ""), ann));
        Access onlyTheRight = ann(OF_MAIN + "\nallow: [read-detached]");
        refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> entries.list(entries(ref("@" + hidden), ""), onlyTheRight));
    }

    @Test
    void pageTokensLeadNowhereElse() {
        Access ann = ann(OF_MAIN);
        Page<LogEntry> page = histories.read(log(ref(MAIN), Detail.MINIMAL, "", merged.toString()), ann);
        assertThat(page.next().commit().id()).isEqualTo(merged);
        alike(
                "log",
                () -> histories.read(log(ref(MAIN), Detail.MINIMAL, "", hidden.toString()), ann),
                hidden.toString(),
                () -> histories.read(log(ref(MAIN), Detail.MINIMAL, "", UNKNOWN), ann),
                UNKNOWN);

        EntriesRequest one = new EntriesRequest(ref(MAIN), KeySelection.ALL, Detail.MINIMAL, "", 1, "");
        var firstPage = entries.list(one, ann).entries();
        firstPage.toList();
        EntriesRequest next = new EntriesRequest(
                ref(MAIN),
                KeySelection.ALL,
                Detail.MINIMAL,
                "",
                1,
                firstPage.nextToken().orElseThrow());
        CommitId head = catalog.head(MAIN);
        assertThat(entries.list(next, ann).entries().toList()).hasSize(1);
        references.assign().assign(ref("main@" + head), null, ref("main@" + first), UNRESTRICTED, null);
        assertThat(entries.list(next, UNRESTRICTED).entries().toList()).hasSize(1);
        assertThat(refusal(ErrorCode.REFERENCE_NOT_FOUND, () -> entries.list(next, ann)))
                .hasMessageContaining("page-token")
                .satisfies(refusal -> assertThat(refusal.denial()).contains("READ_DETACHED on 'DETACHED'"));
    }

    @Test
    void pageTokensNameWhatIsShown() {
        Access ann = ann(NOT_HR);
        EntriesRequest request = new EntriesRequest(ref(MAIN), KeySelection.ALL, Detail.MINIMAL, "", 1, "");
        Page<?> page = entries.list(request, ann).entries();
        page.toList();
        String token =
                new String(Base64.getUrlDecoder().decode(page.nextToken().orElseThrow()), StandardCharsets.UTF_16BE);
        assertThat(token).endsWith("sales").doesNotContain("pay", "bonus");
    }

    @Test
    void hiddenKeysAreInNoListing() {
        Access ann = ann(NOT_HR);
        List<ContentKey> shown =
                List.of(key("hr"), key("sales"), key("sales.a"), key("sales.b"), key("sales.c"), key("z"));
        assertThat(entries.list(entries(ref(MAIN), ""), ann).entries().toList())
                .extracting(entry -> entry.key())
                .isEqualTo(shown);
        assertThat(lastChanges.list(entries(ref(MAIN), ""), ann).entries().toList())
                .extracting(changed -> changed.entry().key())
                .isEqualTo(shown);
        assertThat(children.list(new ChildrenRequest(ref(MAIN), key("hr"), Detail.MINIMAL, 0, ""), ann)
                        .children()
                        .toList())
                .isEmpty();
        assertThat(counts.count(ref(MAIN), null, ann).count()).isEqualTo(shown.size());
        assertThat(counts.count(ref(MAIN), key("hr"), ann).count()).isZero();
        assertThat(counts.count(ref(MAIN), key("hr"), UNRESTRICTED).count()).isEqualTo(2);
        EntriesRequest filtered =
                new EntriesRequest(ref(MAIN), KeySelection.ALL, Detail.MINIMAL, "entry.key.startsWith('hr')", 0, "");
        assertThat(entries.list(filtered, ann).entries().toList()).hasSize(1);
    }

    @Test
    void contentsOfHiddenKeysAreForbiddenWhetherTheyAreThereOrNot() {
        Access ann = ann(NOT_HR);
        for (Purpose purpose : Purpose.values()) {
            for (String name : List.of("hr.pay", "hr.absent")) {
                for (ThrowingCallable read : List.<ThrowingCallable>of(
                        () -> contents.read(ref(MAIN), key(name), purpose, ann),
                        () -> contents.read(ref(MAIN), List.of(key("z"), key(name)), purpose, ann))) {
                    assertThat(refusal(ErrorCode.FORBIDDEN, read))
                            .hasMessage("Not allowed for 'ann': READ_ENTITY_VALUE of '" + name + "' on 'main'");
                }
                assertThat(refusal(
                                ErrorCode.FORBIDDEN,
                                () -> keyHistories.read(
                                        new KeyHistoryRequest(ref(MAIN), key(name), Detail.MINIMAL, 0, ""), ann)))
                        .hasMessage("Not allowed for 'ann': READ_CONTENT_KEY of '" + name + "' on 'main'");
            }
        }
        assertThat(refusal(
                        ErrorCode.CONTENT_NOT_FOUND, () -> contents.read(ref(MAIN), key("absent"), Purpose.READ, ann)))
                .satisfies(refusal -> {
                    assertThat(refusal.key()).isEqualTo(key("absent"));
                    assertThat(refusal.denial()).isNull();
                });
    }

    @Test
    void aTypeThatMayNotBeSeenIsNotThereWhereOthersCouldBe() {
        Access ann = ann("allow: [read], references: [main], types: [NAMESPACE]");
        assertThat(entries.list(entries(ref(MAIN), ""), ann).entries().toList())
                .extracting(entry -> entry.key())
                .containsExactly(key("hr"), key("sales"));
        assertThat(counts.count(ref(MAIN), null, ann).count()).isEqualTo(2);
        for (String name : List.of("sales.a", "absent")) {
            RefusedException ofRead =
                    refusal(ErrorCode.CONTENT_NOT_FOUND, () -> contents.read(ref(MAIN), key(name), Purpose.READ, ann));
            assertThat(ofRead.key()).isEqualTo(key(name));
            assertThat(ofRead.denial())
                    .isEqualTo("Not allowed for 'ann': READ_ENTITY_VALUE of '" + name + "' on 'main'");
            RefusedException ofHistory = refusal(
                    ErrorCode.CONTENT_NOT_FOUND,
                    () -> keyHistories.read(new KeyHistoryRequest(ref(MAIN), key(name), Detail.MINIMAL, 0, ""), ann));
            assertThat(ofHistory.denial())
                    .isEqualTo("Not allowed for 'ann': READ_CONTENT_KEY of '" + name + "' on 'main'");
        }
        assertThat(contents.read(ref(MAIN), List.of(key("sales"), key("sales.a"), key("absent")), Purpose.READ, ann)
                        .contents()
                        .toList())
                .hasSize(1);
    }

    @Test
    void whoReadsToWriteIsToldAtOnceThatTheyMayNot() {
        assertThat(refusal(
                        ErrorCode.FORBIDDEN,
                        () -> contents.read(
                                ref(MAIN), List.of(key("z"), key("y")), Purpose.WRITE, ann("allow: [read]"))))
                .hasMessageContainingAll(
                        "COMMIT_CHANGE_AGAINST_REFERENCE on 'main'", "UPDATE_ENTITY of 'z'", "CREATE_ENTITY of 'y'");
        Access updates = ann("allow: [read, update]");
        assertThat(contents.read(ref(MAIN), List.of(key("z")), Purpose.WRITE, updates)
                        .contents()
                        .toList())
                .hasSize(1);
        assertThat(refusal(ErrorCode.FORBIDDEN, () -> contents.read(ref(MAIN), key("y"), Purpose.WRITE, updates)))
                .hasMessage("Not allowed for 'ann': CREATE_ENTITY of 'y' on 'main'");
    }

    @Test
    void aDiffShowsEachSideByItsOwnReference() {
        Access ann = ann("allow: [read], references: [main], keys: [sales.*]"
                + "\nallow: [read], references: [secret], keys: [sales.b, sales.d, hr.*]");
        assertThat(diffs.diff(diff(ref("secret"), ref(MAIN)), ann).diffs().toList())
                .extracting(DiffEntry::key)
                .containsExactly(key("sales.b"), key("sales.d"));
        assertThat(diffs.diff(diff(ref("secret"), ref(MAIN)), UNRESTRICTED)
                        .diffs()
                        .toList())
                .extracting(DiffEntry::key)
                .containsExactly(key("hr.bonus"), key("hr.pay"), key("hr.plan"), key("sales.b"), key("sales.d"));
    }

    @Test
    void operationsOnHiddenKeysAreInNoLogAndNoFilterFindsThem() {
        Access ann = ann(NOT_HR);
        List<LogEntry> log =
                histories.read(log(ref(MAIN), Detail.ALL, "", ""), ann).toList();
        assertThat(log).hasSameSizeAs(catalog.log(MAIN));
        assertThat(log.get(0).operations()).isNull();
        assertThat(log.stream().map(LogEntry::operations).filter(Objects::nonNull))
                .allSatisfy(operations -> operations.forEachRemaining(
                        operation -> assertThat(operation.key().startsWith(key("hr"))
                                        && !operation.key().equals(key("hr")))
                                .isFalse()));
        String finds = "operations.exists(op, op.key == 'hr.pay')";
        assertThat(histories.read(log(ref(MAIN), Detail.ALL, finds, ""), ann).toList())
                .isEmpty();
        assertThat(histories
                        .read(log(ref(MAIN), Detail.ALL, finds, ""), UNRESTRICTED)
                        .toList())
                .hasSize(2);
    }

    @Test
    void theFarEndOfALogTellsNothingOfHiddenCommits() {
        Access ann = ann(OF_MAIN);
        for (String hash : List.of(hidden.toString(), UNKNOWN)) {
            HashSpec end = new HashSpec(hash, List.of());
            assertThat(histories
                            .read(new HistoryRequest(ref(MAIN), Detail.MINIMAL, end, "", 0, ""), ann)
                            .toList())
                    .hasSameSizeAs(catalog.log(MAIN));
            HashSpec before = HashSpec.parse(hash + "~1");
            assertThat(refusal(
                            ErrorCode.REFERENCE_NOT_FOUND,
                            () -> histories.read(
                                    new HistoryRequest(ref(MAIN), Detail.MINIMAL, before, "", 0, ""), ann)))
                    .hasMessage("Commit '" + hash + "' not found")
                    .satisfies(refusal -> assertThat(refusal.denial()).contains("READ_DETACHED on 'DETACHED'"));
        }
    }

    @Test
    void aKeyThatCameFromAHiddenOneIsNew() {
        catalog.commit(MAIN, delete("hr.pay"), put("pay", table("3"), catalog.id(MAIN, "hr.pay")));
        KeyHistoryRequest request = new KeyHistoryRequest(ref(MAIN), key("pay"), Detail.ALL, 0, "");
        assertThat(keyHistories.read(request, UNRESTRICTED).toList()).hasSize(3);
        List<KeyHistoryEntry> history = keyHistories.read(request, ann(NOT_HR)).toList();
        assertThat(history).hasSize(1);
        assertThat(history.get(0).change()).isEqualTo(ChangeKind.CREATED);
        assertThat(history.get(0).renamedFrom()).isNull();
    }

    @Test
    void listingsOfReferencesShowThoseThatMayBeSeenInFullPages() {
        for (int i = 0; i < 300; i++) {
            catalog.branch((i % 100 == 0 ? "open/" : "closed/") + i, MAIN);
        }
        references.create(ReferenceKind.TAG, List.of("open/tag", "closed/tag"));
        Access ann = ann("allow: [read], references: ['open/*']");
        List<String> expected = List.of("open/0", "open/100", "open/200", "open/tag");
        for (int size : new int[] {1, 2, 3, 4, 0}) {
            List<String> names = new ArrayList<>();
            String token = "";
            do {
                Page<ListedReference> page =
                        references.list().list(new ReferencesRequest(Detail.MINIMAL, "", size, token), ann);
                List<ListedReference> items = page.toList();
                assertThat(items).isNotEmpty();
                items.forEach(item -> names.add(item.reference().name()));
                token = page.nextToken().orElse("");
                assertThat(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
                        .doesNotContain("closed");
            } while (!token.isEmpty());
            assertThat(names).isEqualTo(expected);
        }
        assertThat(references
                        .list()
                        .list(new ReferencesRequest(Detail.MINIMAL, "ref.name.contains('e')", 0, ""), ann)
                        .toList())
                .hasSize(4);
    }

    @Test
    void nothingIsComparedWithADefaultBranchThatMayNotBeSeen() {
        Access ann = ann("allow: [read], references: [secret]");
        ListedReference secret = references.get().get(ref("secret"), Detail.ALL, ann);
        assertThat(secret.metadata()).satisfies(metadata -> {
            assertThat(metadata.numCommitsAhead()).isNull();
            assertThat(metadata.numCommitsBehind()).isNull();
            assertThat(metadata.commonAncestor()).isNull();
            assertThat(metadata.head().id()).isEqualTo(hidden);
        });
        assertThat(references
                        .list()
                        .list(new ReferencesRequest(Detail.ALL, "has(refMeta.numCommitsAhead)", 0, ""), ann)
                        .toList())
                .isEmpty();
        assertThat(references
                        .get()
                        .get(ref("secret"), Detail.ALL, ann("allow: [read]"))
                        .metadata()
                        .numCommitsAhead())
                .isEqualTo(2);
    }

    @Test
    void commitsAreNotToldOfByAReferenceWhoseLogMayNotBeRead() {
        Access ann = ann("when: \"op == 'VIEW_REFERENCE'\"");

        assertThat(references
                        .list()
                        .list(new ReferencesRequest(Detail.ALL, "", 0, ""), ann)
                        .toList())
                .hasSize(2)
                .allSatisfy(listed -> assertThat(listed.metadata()).isNull());
        assertThat(references
                        .list()
                        .list(new ReferencesRequest(Detail.ALL, "has(refMeta.numTotalCommits)", 0, ""), ann)
                        .toList())
                .isEmpty();
        assertThat(references.get().get(ref("secret"), Detail.ALL, ann).metadata())
                .isNull();
        references.assign().assign(ref("secret@" + hidden), null, ref("main@" + first), UNRESTRICTED, null);
        RecentHeads recent = references.recentChanges().read(ref("secret"), 10, ann);
        assertThat(recent.current().header()).isNull();
        assertThat(recent.previous())
                .isNotEmpty()
                .allSatisfy(head -> assertThat(head.header()).isNull());
    }

    @Test
    void nothingIsComparedWithADefaultBranchWhoseLogMayNotBeRead() {
        Access ann = ann("allow: [read], references: [secret]\nwhen: \"op == 'VIEW_REFERENCE'\"");
        ListedReference secret = references.get().get(ref("secret"), Detail.ALL, ann);
        assertThat(secret.metadata().head().id()).isEqualTo(hidden);
        assertThat(secret.metadata().commonAncestor()).isNull();
    }

    @Test
    void ofAnEarlierHeadThatIsReachedNoMoreOnlyTheHashIsShown() {
        CommitId head = catalog.head(MAIN);
        references.assign().assign(ref("main@" + head), null, ref("main@" + first), UNRESTRICTED, null);
        references.assign().assign(ref("main@" + first), null, ref("main@" + first + "~1"), UNRESTRICTED, null);
        references.assign().assign(ref("main@" + catalog.head(MAIN)), null, ref("@" + first), UNRESTRICTED, null);
        var recent = references.recentChanges().read(ref(MAIN), 0, ann(OF_MAIN));
        var all = references.recentChanges().read(ref(MAIN), 0, UNRESTRICTED);
        assertThat(recent.current()).isEqualTo(all.current());
        assertThat(recent.previous()).hasSameSizeAs(all.previous());
        for (int i = 0; i < recent.previous().size(); i++) {
            var seen = recent.previous().get(i);
            assertThat(seen.hash()).isEqualTo(all.previous().get(i).hash());
            if (seen.hash().equals(head)) {
                assertThat(seen.header()).isNull();
            } else if (seen.hash().equals(first)) {
                assertThat(seen).isEqualTo(all.previous().get(i));
            }
        }
        assertThat(references.recentChanges().read(ref(MAIN), 0, ann("allow: [all]")))
                .isEqualTo(all);
    }

    @Test
    void readsNeedTheRightsTheyShowSomethingOf() {
        Access noLog = ann("allow: [read], references: [main]\ndeny: [read], when: \"op == 'LIST_COMMIT_LOG'\"");
        for (String what : List.of("log", "key history", "last changes", "children")) {
            assertThat(refusal(ErrorCode.FORBIDDEN, () -> reads().get(what).apply(ref(MAIN), noLog)))
                    .hasMessage("Not allowed for 'ann': LIST_COMMIT_LOG on 'main'");
        }
        Access noValues = ann("allow: [read], references: [main]\ndeny: [read], when: \"op == 'READ_ENTITY_VALUE'\"");
        assertThat(entries.list(entries(ref(MAIN), ""), noValues).entries().toList())
                .isEmpty();
        assertThat(entries.list(new EntriesRequest(ref(MAIN), KeySelection.ALL, Detail.MINIMAL, "", 0, ""), noValues)
                        .entries()
                        .toList())
                .hasSize(8);
        assertThat(diffs.diff(diff(ref("main@" + first), ref(MAIN)), noValues)
                        .diffs()
                        .toList())
                .isEmpty();
        assertThat(histories.read(log(ref(MAIN), Detail.ALL, "", ""), noValues).toList())
                .allSatisfy(entry -> assertThat(entry.operations()).isNull());
    }
}
