package org.anabranch.store.memory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.Head;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.RepositoryChanged;
import org.anabranch.store.WriteOutcome.Written;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a repository in memory, and is stricter than a store has to be, so that wrong assumptions show early: it copies
 * all bytes on their way in and out, and throws {@link IllegalArgumentException} for a write that no correct caller
 * sends. Those are: a row with an unknown parent or with another commit under a number that is taken; a reference moved
 * to a commit that is not there; and a head, or a parent of a new row, that was there before and is neither the expected head
 * nor adopted. So is a deletion of rows that stored ones or references point at.
 *
 * <p>Safe from many threads of one process: every method runs under one lock. Closing it changes nothing.
 */
public final class MemoryStore implements Store {

    private static final Comparator<String> BY_BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private final NavigableMap<Long, CommitRow> rows = new TreeMap<>();
    private final Map<CommitId, Long> numbers = new HashMap<>();
    private final NavigableMap<String, ReferenceRow> references = new TreeMap<>(BY_BYTES);
    private final NavigableMap<String, Receipt> receipts = new TreeMap<>(BY_BYTES);
    private final NavigableMap<Long, Long> condemned = new TreeMap<>();
    private @Nullable RepositoryRow repository;
    private long nextNumber = 1;

    @Override
    public synchronized Map<CommitId, Long> find(Collection<CommitId> ids) {
        Map<CommitId, Long> found = new HashMap<>();
        for (CommitId id : ids) {
            Long number = numbers.get(id);
            if (number != null) {
                found.put(id, number);
            }
        }
        return found;
    }

    @Override
    public synchronized List<byte[]> fetch(List<ChunkAddress> chunks) {
        List<byte[]> fetched = new ArrayList<>();
        List<ChunkAddress> missing = new ArrayList<>();
        for (ChunkAddress address : chunks) {
            CommitRow row = rows.get(address.number());
            if (row == null || address.chunk() >= row.chunks().size()) {
                missing.add(address);
            } else {
                fetched.add(row.chunks().get(address.chunk()).clone());
            }
        }
        if (!missing.isEmpty()) {
            throw new MissingRowException(missing);
        }
        return fetched;
    }

    @Override
    public synchronized List<CommitLinks> links(long afterNumber, int limit) {
        return rows.tailMap(afterNumber, false).values().stream()
                .limit(limit)
                .map(row -> new CommitLinks(row.number(), row.id(), row.parents()))
                .toList();
    }

    @Override
    public synchronized Optional<ReferenceRow> reference(String name) {
        return Optional.ofNullable(references.get(name));
    }

    @Override
    public synchronized List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return references.tailMap(afterName, false).values().stream()
                .filter(reference -> reference.kind() == kind)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized Optional<RepositoryRow> repository() {
        return Optional.ofNullable(repository).map(MemoryStore::copy);
    }

    @Override
    public synchronized long numbers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("A block has at least one number");
        }
        long first = nextNumber;
        nextNumber += count;
        return first;
    }

    @Override
    public synchronized List<Receipt> receipts(String scope) {
        return Stream.ofNullable(receipts.get(scope)).map(MemoryStore::copy).toList();
    }

    @Override
    public synchronized List<Receipt> receiptsAfter(String afterScope, int limit) {
        return receipts.tailMap(afterScope, false).values().stream()
                .limit(limit)
                .map(MemoryStore::copy)
                .toList();
    }

    @Override
    public synchronized WriteOutcome write(
            List<CommitRow> newRows, Collection<Long> adopted, Change change, List<Receipt> newReceipts) {
        Map<Long, CommitRow> batch = checkRows(newRows, adopted);
        checkLinks(change, batch, adopted);
        checkScopes(newReceipts);

        WriteOutcome outcome = judge(adopted, change, newReceipts);
        if (outcome instanceof Written) {
            batch.forEach((number, row) -> {
                rows.putIfAbsent(number, row);
                numbers.merge(row.id(), number, Math::min);
            });
            newReceipts.forEach(receipt -> receipts.put(receipt.scope(), copy(receipt)));
            spare(change.reached(adopted));
            apply(change);
        }
        return outcome;
    }

    @Override
    public synchronized void forgetReceipt(Receipt receipt) {
        receipts.computeIfPresent(
                receipt.scope(), (scope, kept) -> Arrays.equals(kept.response(), receipt.response()) ? null : kept);
    }

    @Override
    public OptionalLong clockMicros() {
        return OptionalLong.empty();
    }

    @Override
    public synchronized void forgetReceipts(long expiredBeforeMicros) {
        receipts.values().removeIf(receipt -> receipt.expiresAtMicros() < expiredBeforeMicros);
    }

    @Override
    public synchronized void condemn(Collection<Long> marked, long atMicros) {
        for (long number : marked) {
            if (rows.containsKey(number)) {
                condemned.putIfAbsent(number, atMicros);
            }
        }
    }

    @Override
    public synchronized List<Condemned> condemned(long afterNumber, int limit) {
        return condemned.tailMap(afterNumber, false).entrySet().stream()
                .limit(limit)
                .map(mark -> new Condemned(mark.getKey(), mark.getValue()))
                .toList();
    }

    @Override
    public synchronized void spare(Collection<Long> spared) {
        Deque<Long> left = new ArrayDeque<>(spared);
        while (!left.isEmpty()) {
            long number = left.pop();
            if (condemned.remove(number) != null) {
                left.addAll(rows.get(number).parents());
            }
        }
    }

    @Override
    public synchronized int delete(Collection<Condemned> marks) {
        Set<Long> deleted = new HashSet<>();
        for (Condemned mark : marks) {
            if (condemned.getOrDefault(mark.number(), -1L) == mark.atMicros()) {
                deleted.add(mark.number());
            }
        }
        requireUnused(deleted);
        for (long number : deleted) {
            condemned.remove(number);
            CommitId id = rows.remove(number).id();
            if (numbers.remove(id, number)) {
                rows.values().stream()
                        .filter(row -> row.id().equals(id))
                        .findFirst()
                        .ifPresent(twin -> numbers.put(id, twin.number()));
            }
        }
        return deleted.size();
    }

    private void requireUnused(Set<Long> deleted) {
        for (CommitRow row : rows.values()) {
            if (!deleted.contains(row.number()) && row.parents().stream().anyMatch(deleted::contains)) {
                throw new IllegalArgumentException("Row " + row.number() + " needs a parent that is to be deleted");
            }
        }
        for (ReferenceRow reference : references.values()) {
            if (deleted.contains(reference.head().number())) {
                throw new IllegalArgumentException("The head of " + reference.name() + " is to be deleted");
            }
        }
    }

    @Override
    public void close() {}

    private WriteOutcome judge(Collection<Long> adopted, Change change, List<Receipt> newReceipts) {
        for (Receipt receipt : newReceipts) {
            Receipt existing = receipts.get(receipt.scope());
            if (existing != null) {
                return new ReceiptTaken(copy(existing));
            }
        }
        switch (change) {
            case Change.OfReference reference -> {
                ReferenceRow current = references.get(reference.name());
                if (!reference.expects(current)) {
                    return new ReferenceMoved(current);
                }
            }
            case Change.OfRepository record -> {
                if (!record.expects(repository)) {
                    return new RepositoryChanged(repository().orElse(null));
                }
            }
        }
        Set<Long> missing = new TreeSet<>(adopted);
        missing.remove(0L);
        missing.removeAll(rows.keySet());
        return missing.isEmpty() ? new Written() : new AdoptedMissing(missing);
    }

    private void apply(Change change) {
        switch (change) {
            case Change.OfReference(String name, @Nullable ReferenceRow expected, @Nullable ReferenceRow next) -> {
                if (next == null) {
                    references.remove(name);
                } else {
                    references.put(name, next);
                }
            }
            case Change.OfRepository(@Nullable RepositoryRow expected, RepositoryRow next) -> repository = copy(next);
        }
    }

    private Map<Long, CommitRow> checkRows(List<CommitRow> newRows, Collection<Long> adopted) {
        Map<Long, CommitRow> batch = new LinkedHashMap<>();
        for (CommitRow row : newRows) {
            for (long parent : row.parents()) {
                boolean isAnnounced = rows.containsKey(parent) || batch.containsKey(parent) || adopted.contains(parent);
                if (parent != 0 && !isAnnounced) {
                    throw new IllegalArgumentException("Row " + row.number() + " has the unknown parent " + parent);
                }
            }
            CommitRow stored = rows.get(row.number());
            if (stored != null && !stored.id().equals(row.id())) {
                throw new IllegalArgumentException("Number " + row.number() + " is taken by another commit");
            }
            if (batch.put(row.number(), copy(row)) != null) {
                throw new IllegalArgumentException("Number " + row.number() + " stands twice in one write");
            }
        }
        return batch;
    }

    private void checkLinks(Change change, Map<Long, CommitRow> batch, Collection<Long> adopted) {
        if (!(change instanceof Change.OfReference(String name, var expected, var next)) || next == null) {
            return;
        }
        Set<Long> announced = new HashSet<>(adopted);
        announced.add(0L);
        announced.addAll(batch.keySet());
        if (expected != null) {
            announced.add(expected.head().number());
        }
        Head head = next.head();
        CommitRow row = batch.getOrDefault(head.number(), rows.get(head.number()));
        if (row == null && !announced.contains(head.number())) {
            throw new IllegalArgumentException("The head " + head + " of " + name + " is neither stored nor written");
        }
        if (row != null && !row.id().equals(head.id())) {
            throw new IllegalArgumentException("The head " + head + " of " + name + " is stored as " + row.id());
        }
        if (!announced.contains(head.number())) {
            throw new IllegalArgumentException("The head " + head + " of " + name + " must be adopted");
        }
        for (CommitRow child : batch.values()) {
            if (!announced.containsAll(child.parents())) {
                throw new IllegalArgumentException("All stored parents of row " + child.number() + " but the head of "
                        + name + " must be adopted");
            }
        }
    }

    private static void checkScopes(List<Receipt> newReceipts) {
        Set<String> scopes = new HashSet<>();
        for (Receipt receipt : newReceipts) {
            if (!scopes.add(receipt.scope())) {
                throw new IllegalArgumentException("Two receipts of one write have the scope " + receipt.scope());
            }
        }
    }

    private static CommitRow copy(CommitRow row) {
        return new CommitRow(
                row.number(),
                row.id(),
                row.parents(),
                row.chunks().stream().map(byte[]::clone).toList());
    }

    private static Receipt copy(Receipt receipt) {
        return new Receipt(
                receipt.scope(),
                receipt.requestDigest().clone(),
                receipt.head(),
                receipt.response().clone(),
                receipt.expiresAtMicros());
    }

    private static RepositoryRow copy(RepositoryRow row) {
        return new RepositoryRow(
                row.id(),
                row.formatVersion(),
                row.salt().clone(),
                row.defaultBranch(),
                row.createdAtMicros(),
                row.oldestCommitAtMicros(),
                row.configs(),
                row.version());
    }
}
