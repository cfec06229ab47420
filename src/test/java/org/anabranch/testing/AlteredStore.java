package org.anabranch.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;

/** Reads as another store does, apart from what was altered here behind its back, as a broken disk or a bug would. */
public final class AlteredStore extends ForwardingStore {

    private final Map<Long, CommitRow> rows = new HashMap<>();
    private final Map<Long, CommitLinks> links = new HashMap<>();
    private final Set<Long> removed = new HashSet<>();
    private UnaryOperator<ReferenceRow> reference = row -> row;
    private UnaryOperator<RepositoryRow> repository = row -> row;
    private UnaryOperator<Receipt> receipt = kept -> kept;

    public AlteredStore(Store store) {
        super(store);
    }

    /** A row as it is stored. */
    public CommitRow row(long number) {
        CommitLinks stored = delegate.links(number - 1, 1).get(0);
        List<byte[]> chunks = new ArrayList<>();
        try {
            while (true) {
                chunks.addAll(delegate.fetch(List.of(new ChunkAddress(number, chunks.size()))));
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
        Map<CommitId, Long> found = new HashMap<>(delegate.find(ids));
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
        List<byte[]> fetched = new ArrayList<>(delegate.fetch(chunks));
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
        return delegate.links(afterNumber, Integer.MAX_VALUE).stream()
                .filter(row -> !removed.contains(row.number()))
                .map(row -> links.getOrDefault(row.number(), row))
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return delegate.reference(name).map(reference);
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return delegate.references(kind, afterName, limit).stream()
                .map(reference)
                .toList();
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return delegate.repository().map(repository);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return delegate.receipts(scope).stream().map(receipt).toList();
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return delegate.receiptsAfter(afterScope, limit).stream().map(receipt).toList();
    }
}
