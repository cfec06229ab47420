package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RevertRequest;
import org.anabranch.model.TransplantRequest;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.jspecify.annotations.Nullable;

/**
 * One request on a catalog of its own to which something happens, sent until the client knows that it was applied. After every
 * answer the reference is where it was or where it should be, and what the answer says is true; in the end it was applied once.
 */
final class RequestUnderFaults {

    /**
     * A kind of request, made from the state in which a client saw the catalog.
     *
     * @param reference that it changes
     * @param send the request, with or without an idempotency key
     */
    record Kind(String name, String reference, Function<Seen, Sending> send) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The commits that the client knew when it made up its request; a repeat names the same. */
    record Seen(TestCatalog catalog, CommitId main, CommitId side, CommitId other, CommitId base, ContentId base0) {}

    interface Sending {
        /** @return the outcome, of whatever type */
        Object to(ReferenceCatalog catalog, @Nullable Idempotency key);
    }

    /** What the client is told. */
    enum Told {
        APPLIED,
        NOTHING_CHANGED,
        UNDECIDED,
        REFUSED
    }

    static final String FOREIGN = "foreign";
    private static final ContentId ANY = new ContentId(new UUID(0, 0));

    static final List<Kind> KINDS = List.of(
            commit("create a key", seen -> List.of(put("n", namespace()), put("n.a", table("a0")))),
            commit("update a key", seen -> List.of(put("base", table("base1"), seen.base0()))),
            commit("rename a key", seen -> List.of(delete("base"), put("renamed", table("base2"), seen.base0()))),
            commit("delete a key", seen -> List.of(delete("base"))),
            new Kind(
                    "merge",
                    MAIN,
                    seen -> (catalog, key) -> catalog.commits()
                            .merge(
                                    new MergeRequest(
                                            at(MAIN, seen.main()),
                                            at("side", seen.side()),
                                            GivenMeta.ofMessage("merged"),
                                            MergeMode.NORMAL,
                                            List.of(),
                                            false),
                                    key)),
            new Kind(
                    "transplant two commits",
                    MAIN,
                    seen -> (catalog, key) -> catalog.commits()
                            .transplant(
                                    new TransplantRequest(
                                            at(MAIN, seen.main()),
                                            null,
                                            Stream.of(
                                                            seen.catalog()
                                                                    .commit(seen.other())
                                                                    .parents()
                                                                    .getFirst()
                                                                    .id(),
                                                            seen.other())
                                                    .map(id -> new HashSpec(id.toString(), List.of()))
                                                    .toList(),
                                            null,
                                            MergeMode.NORMAL,
                                            List.of(),
                                            false),
                                    key)),
            revert("revert a commit", seen -> new RevertRequest.OfCommit(hash(seen.main()))),
            revert("revert a key", seen -> new RevertRequest.OfKey(TestCatalog.key("base"), hash(seen.base()))),
            create("create a branch", ReferenceKind.BRANCH),
            create("create a tag", ReferenceKind.TAG),
            assign("assign a branch", "side"),
            assign("assign a tag", "tag"),
            remove("delete a branch", "side"),
            remove("delete a tag", "tag"));

    private static Kind commit(String name, Function<Seen, List<Operation>> operations) {
        return new Kind(name, MAIN, seen -> {
            CommitRequest request =
                    new CommitRequest(at(MAIN, seen.main()), GivenMeta.ofMessage(name), operations.apply(seen));
            return (catalog, key) -> key == null
                    ? catalog.commits().commit(request, "")
                    : catalog.commits().commit(request, key);
        });
    }

    private static Kind revert(String name, Function<Seen, RevertRequest.Scope> scope) {
        return new Kind(
                name,
                MAIN,
                seen -> (catalog, key) -> catalog.commits()
                        .revert(
                                new RevertRequest(
                                        at(MAIN, seen.main()),
                                        scope.apply(seen),
                                        GivenMeta.ofMessage(name),
                                        MergeMode.NORMAL,
                                        List.of(),
                                        false),
                                key));
    }

    private static Kind create(String name, ReferenceKind kind) {
        return new Kind(
                name,
                "new",
                seen -> (catalog, key) -> catalog.create()
                        .create(new ReferenceName("new"), kind, at("side", seen.side()), UNRESTRICTED, key));
    }

    private static Kind assign(String name, String reference) {
        return new Kind(
                name,
                reference,
                seen -> (catalog, key) -> catalog.assign()
                        .assign(ref(reference + "@" + seen.side()), null, ref("@" + seen.other()), UNRESTRICTED, key));
    }

    private static Kind remove(String name, String reference) {
        return new Kind(
                name,
                reference,
                seen -> (catalog, key) ->
                        catalog.delete().delete(ref(reference + "@" + seen.side()), null, UNRESTRICTED, key));
    }

    private static HashSpec hash(CommitId id) {
        return new HashSpec(id.toString(), List.of());
    }

    private final Kind kind;
    private final Store store;
    private final TestCatalog sound;
    private final Seen seen;
    private final String situation;
    private final @Nullable Idempotency key;

    /**
     * @param store an empty one, to which nothing happens
     * @param situation what happens, in words
     */
    RequestUnderFaults(Kind kind, Store store, boolean withKey, String situation) {
        this.kind = kind;
        this.store = store;
        this.sound = new TestCatalog(store, store, WriteLimits.DEFAULT, 0);
        this.seen = morning(sound, store);
        this.key = withKey ? new Idempotency("k", "the request".getBytes(StandardCharsets.UTF_8)) : null;
        this.situation = kind + ", " + situation + (withKey ? ", with key" : ", without key");
    }

    /**
     * <pre>
     *   base: base0 --- base1'   main
     *    \         \
     *     \         s.t   side, tag
     *      p --- q   other
     * </pre>
     */
    private static Seen morning(TestCatalog catalog, Store store) {
        CommitId base = catalog.commit(MAIN, put("base", table("base0")));
        ContentId id = catalog.id(MAIN, "base");
        catalog.branch("other", MAIN);
        catalog.commit("other", put("p", table("p")));
        CommitId other = catalog.commit("other", put("q", table("q")));
        CommitId main = catalog.commit(MAIN, put("base", table("base0 changed"), id));
        catalog.branch("side", MAIN);
        CommitId side = catalog.commit("side", put("s", table("s")));
        ReferenceCatalog references = ReferenceCatalog.process(store, store, 500);
        references.create("tag", ReferenceKind.TAG, side);
        return new Seen(catalog, main, side, other, base, id);
    }

    /** Somebody else's commit. */
    void commitForeign(int n) {
        sound.commit(MAIN, sound.head(MAIN), FOREIGN, put(FOREIGN + n, table("x")));
    }

    /** What the request leads to if nothing goes wrong. */
    static String undisturbed(Kind kind, Store store) {
        RequestUnderFaults run = new RequestUnderFaults(kind, store, true, "undisturbed");
        ReferenceCatalog catalog = ReferenceCatalog.process(store, store, 1_000_000);
        assertThat(run.send(kind.send().apply(run.seen), catalog)).isEqualTo(Told.APPLIED);
        return run.state();
    }

    /**
     * Sends the request.
     *
     * @param catalog on the same store, to which things happen
     * @param after what it should lead to
     * @param heal ends what happens to the store
     */
    void check(ReferenceCatalog catalog, String after, Runnable heal) {
        String before = state();
        Sending request = kind.send().apply(seen);
        boolean mayBeThere = false;
        Told told;
        do {
            told = send(request, catalog);
            String now = state();
            switch (told) {
                case APPLIED -> assertThat(now).as(situation).isEqualTo(after);
                // An earlier sending without key may have been applied, late.
                case NOTHING_CHANGED, REFUSED ->
                    assertThat(now).as(situation).isIn(mayBeThere ? List.of(before, after) : List.of(before));
                case UNDECIDED -> assertThat(now).as(situation).isIn(before, after);
            }
            if (told == Told.REFUSED) {
                assertThat(mayBeThere && key == null)
                        .as(situation + ": refused")
                        .isTrue();
            }
            mayBeThere |= told == Told.UNDECIDED;
        } while (told != Told.APPLIED && told != Told.REFUSED);
        heal.run();
        assertThat(state()).as(situation + ": in the end").isEqualTo(after);
        assertThat(send(request, catalog))
                .as(situation + ": once more")
                .isEqualTo(key == null ? Told.REFUSED : Told.APPLIED);
        assertThat(state()).as(situation + ": after once more").isEqualTo(after);
    }

    private Told send(Sending request, ReferenceCatalog catalog) {
        try {
            return switch (request.to(catalog, key)) {
                case AppliedResult applied -> Told.APPLIED;
                case Reference.Named reference -> Told.APPLIED;
                case OutcomeUndecided undecided -> Told.UNDECIDED;
                default -> Told.REFUSED;
            };
        } catch (StoreUnavailableException e) {
            return Told.NOTHING_CHANGED;
        } catch (OutcomeUnknownException e) {
            return Told.UNDECIDED;
        } catch (RefusedException e) {
            return Told.REFUSED;
        }
    }

    /** Where the reference is, how often it moved, and what it shows, without what differs between two runs. */
    private String state() {
        Optional<ReferenceRow> row = store.reference(kind.reference());
        if (row.isEmpty()) {
            return "none";
        }
        List<String> messages = sound.log(kind.reference()).stream()
                .map(commit -> commit.requireMeta().message())
                .filter(message -> !message.equals(FOREIGN))
                .toList();
        SortedMap<ContentKey, Content> contents = sound.contents(kind.reference());
        contents.keySet().removeIf(key -> key.toString().startsWith(FOREIGN));
        contents.replaceAll((key, content) -> content.withId(ANY));
        return row.get().kind()
                + (kind.reference().equals(MAIN) ? "" : " moved " + row.get().version()) + " " + messages + " "
                + contents;
    }
}
