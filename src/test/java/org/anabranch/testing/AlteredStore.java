package org.anabranch.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;

/** Reads as another store does, apart from what was altered here behind its back, as a broken disk or a bug would. */
public final class AlteredStore implements Store {

    private final Store store;
    private final Map<Long, CommitRow> rows = new HashMap<>();
    private final Map<Long, CommitLinks> links = new HashMap<>();
    private final Set<Long> removed = new HashSet<>();
    private UnaryOperator<ReferenceRow> reference = row -> row;
    private UnaryOperator<RepositoryRow> repository = row -> row;
    private UnaryOperator<Receipt> receipt = kept -> kept;

    public AlteredStore(Store store) {
        this.store = store;
    }

    /** A row as it is stored. */
    public CommitRow row(long number) {
        CommitLinks stored = store.links(number - 1, 1).get(0);
        List<byte[]> chunks = new ArrayList<>();
        try {
            while (true) {
                chunks.addAll(store.fetch(List.of(new ChunkAddress(number, chunks.size()))));
            }
        } catch (MissingRowException end) {
            return new CommitRow(number, stored.id(), stored.parents(), chunks);
        }
    }

    public AlteredStore alter(CommitRow row) {
        rows.put(row.number(), row);
        return this;
    }

    public AlteredStore alter(CommitLinks altered) {
        links.put(altered.number(), altered);
        return this;
    }

    public AlteredStore remove(long number) {
        removed.add(number);
        return this;
    }

    public AlteredStore alterReferences(UnaryOperator<ReferenceRow> change) {
        reference = change;
        return this;
    }

    public AlteredStore alterRepository(UnaryOperator<RepositoryRow> change) {
        repository = change;
        return this;
    }

    public AlteredStore alterReceipts(UnaryOperator<Receipt> change) {
        receipt = change;
        return this;
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        Map<CommitId, Long> found = new HashMap<>(store.find(ids));
        found.values().removeIf(number -> removed.contains(number) || links.containsKey(number));
        links.values().stream()
                .filter(altered -> ids.contains(altered.id()))
                .forEach(altered -> found.put(altered.id(), altered.number()));
        return found;
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        List<ChunkAddress> missing = chunks.stream()
                .filter(chunk -> removed.contains(chunk.number()))
                .toList();
        if (!missing.isEmpty()) {
            throw new MissingRowException(missing);
        }
        List<byte[]> fetched = new ArrayList<>(store.fetch(chunks));
        for (int i = 0; i < chunks.size(); i++) {
            CommitRow altered = rows.get(chunks.get(i).number());
            if (altered != null) {
                fetched.set(i, altered.chunks().get(chunks.get(i).chunk()).clone());
            }
        }
        return fetched;
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        return store.links(afterNumber, Integer.MAX_VALUE).stream()
                .filter(row -> !removed.contains(row.number()))
                .map(row -> links.getOrDefault(row.number(), row))
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return store.reference(name).map(reference);
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return store.references(kind, afterName, limit).stream().map(reference).toList();
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return store.repository().map(repository);
    }

    @Override
    public long numbers(int count) {
        return store.numbers(count);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return store.receipts(scope).stream().map(receipt).toList();
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return store.receiptsAfter(afterScope, limit).stream().map(receipt).toList();
    }

    @Override
    public WriteOutcome write(
            List<CommitRow> written, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        return store.write(written, adopted, change, receipts);
    }

    @Override
    public void forgetReceipt(Receipt kept) {
        store.forgetReceipt(kept);
    }

    @Override
    public OptionalLong clockMicros() {
        return store.clockMicros();
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        store.forgetReceipts(expiredBeforeMicros);
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        store.condemn(numbers, atMicros);
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        return store.condemned(afterNumber, limit);
    }

    @Override
    public void spare(Collection<Long> numbers) {
        store.spare(numbers);
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return store.delete(marks);
    }

    @Override
    public void close() {
        store.close();
    }
}
