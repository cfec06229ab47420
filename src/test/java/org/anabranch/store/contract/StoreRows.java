package org.anabranch.store.contract;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;

/** Small rows for tests of stores. What a commit row holds follows from its number, so it need not be remembered. */
public final class StoreRows {

    private StoreRows() {}

    /** A row of two chunks, together about as large as a commit of one table: 1.3 kB. */
    public static CommitRow row(long number, Long... parents) {
        Random random = new Random(number);
        byte[] first = new byte[1000];
        byte[] second = new byte[300];
        random.nextBytes(first);
        random.nextBytes(second);
        return new CommitRow(
                number, id(number), parents.length == 0 ? List.of(0L) : List.of(parents), List.of(first, second));
    }

    /** The id of the commit with that number. */
    public static CommitId id(long number) {
        return CommitId.of(ByteBuffer.allocate(CommitId.BYTES)
                .putLong(number * 0x9E3779B97F4A7C15L)
                .putLong(24, number)
                .array());
    }

    public static Head head(long number) {
        return number == 0 ? Head.NO_ANCESTOR : new Head(number, id(number));
    }

    public static ReferenceRow branch(String name, long headNumber, long incarnation) {
        return reference(ReferenceKind.BRANCH, name, headNumber, incarnation);
    }

    public static ReferenceRow tag(String name, long headNumber, long incarnation) {
        return reference(ReferenceKind.TAG, name, headNumber, incarnation);
    }

    private static ReferenceRow reference(ReferenceKind kind, String name, long headNumber, long incarnation) {
        return new ReferenceRow(name, kind, head(headNumber), incarnation, 1, 1_000_000 + incarnation, List.of());
    }

    /** The reference after a move, its old head remembered. */
    public static ReferenceRow moved(ReferenceRow from, long headNumber) {
        PublishedHead old = new PublishedHead(from.head(), 2_000_000 + from.version());
        return from.movedTo(head(headNumber), concat(old, from.published()));
    }

    public static Change create(ReferenceRow reference) {
        return new Change.OfReference(reference.name(), null, reference);
    }

    public static Change move(ReferenceRow from, ReferenceRow to) {
        return new Change.OfReference(from.name(), from, to);
    }

    public static Change delete(ReferenceRow reference) {
        return new Change.OfReference(reference.name(), reference, null);
    }

    /** A new repository's record. */
    public static RepositoryRow repository(String defaultBranch) {
        byte[] salt = new byte[16];
        Arrays.fill(salt, (byte) 7);
        return new RepositoryRow(new UUID(1, 2), 1, salt, defaultBranch, 1_000_000, 2_000_000, Map.of(), 1);
    }

    /** The record with one configuration object more. */
    public static RepositoryRow withConfig(RepositoryRow from, String type, String json) {
        Map<String, String> configs = new TreeMap<>(from.configs());
        configs.put(type, json);
        return new RepositoryRow(
                from.id(),
                from.formatVersion(),
                from.salt(),
                from.defaultBranch(),
                from.createdAtMicros(),
                from.oldestCommitAtMicros(),
                configs,
                from.version() + 1);
    }

    public static Receipt receipt(String scope, long headNumber, long expiresAtMicros) {
        return new Receipt(scope, new byte[] {1, 2, 3}, head(headNumber), new byte[] {4, 5}, expiresAtMicros);
    }

    private static List<PublishedHead> concat(PublishedHead first, List<PublishedHead> rest) {
        List<PublishedHead> all = new ArrayList<>();
        all.add(first);
        all.addAll(rest);
        return all;
    }
}
