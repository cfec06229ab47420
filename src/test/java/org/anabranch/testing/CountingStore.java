package org.anabranch.testing;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;

/** Counts what goes through to another store: trips of each kind, and chunks and bytes of commit rows. */
public final class CountingStore extends ForwardingStore {

    private int trips;
    private int chunksFetched;
    private int rowsWritten;
    private long rowBytesWritten;

    public CountingStore(Store store) {
        super(store);
    }

    /** Calls of every kind since the last {@link #resetCounts}. */
    public synchronized int trips() {
        return trips;
    }

    public synchronized int chunksFetched() {
        return chunksFetched;
    }

    public synchronized int rowsWritten() {
        return rowsWritten;
    }

    /** The bytes of all chunks written, as the store was given them. */
    public synchronized long rowBytesWritten() {
        return rowBytesWritten;
    }

    public synchronized void resetCounts() {
        trips = 0;
        chunksFetched = 0;
        rowsWritten = 0;
        rowBytesWritten = 0;
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        count(0, List.of());
        return delegate.find(ids);
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        count(chunks.size(), List.of());
        return delegate.fetch(chunks);
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        count(0, List.of());
        return delegate.links(afterNumber, limit);
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        count(0, List.of());
        return delegate.reference(name);
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        count(0, List.of());
        return delegate.references(kind, afterName, limit);
    }

    @Override
    public Optional<RepositoryRow> repository() {
        count(0, List.of());
        return delegate.repository();
    }

    @Override
    public long numbers(int count) {
        count(0, List.of());
        return delegate.numbers(count);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        count(0, List.of());
        return delegate.receipts(scope);
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        count(0, List.of());
        return delegate.receiptsAfter(afterScope, limit);
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        count(0, rows);
        return delegate.write(rows, adopted, change, receipts);
    }

    @Override
    public void forgetReceipt(Receipt receipt) {
        count(0, List.of());
        delegate.forgetReceipt(receipt);
    }

    @Override
    public OptionalLong clockMicros() {
        OptionalLong clock = delegate.clockMicros();
        if (clock.isPresent()) {
            count(0, List.of());
        }
        return clock;
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        count(0, List.of());
        delegate.forgetReceipts(expiredBeforeMicros);
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        count(0, List.of());
        delegate.condemn(numbers, atMicros);
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        count(0, List.of());
        return delegate.condemned(afterNumber, limit);
    }

    @Override
    public void spare(Collection<Long> numbers) {
        count(0, List.of());
        delegate.spare(numbers);
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        count(0, List.of());
        return delegate.delete(marks);
    }

    private synchronized void count(int fetched, List<CommitRow> written) {
        trips++;
        chunksFetched += fetched;
        rowsWritten += written.size();
        for (CommitRow row : written) {
            rowBytesWritten +=
                    row.chunks().stream().mapToLong(chunk -> chunk.length).sum();
        }
    }
}
