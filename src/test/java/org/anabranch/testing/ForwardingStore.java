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

/** Does what another store does, for tests to change one thing about it. Its turns are made of its own reads and writes. */
public abstract class ForwardingStore implements Store {

    protected final Store delegate;

    protected ForwardingStore(Store delegate) {
        this.delegate = delegate;
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        return delegate.find(ids);
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        return delegate.fetch(chunks);
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        return delegate.links(afterNumber, limit);
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return delegate.reference(name);
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return delegate.references(kind, afterName, limit);
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return delegate.repository();
    }

    @Override
    public long numbers(int count) {
        return delegate.numbers(count);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return delegate.receipts(scope);
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return delegate.receiptsAfter(afterScope, limit);
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        return delegate.write(rows, adopted, change, receipts);
    }

    @Override
    public void forgetReceipt(Receipt receipt) {
        delegate.forgetReceipt(receipt);
    }

    @Override
    public OptionalLong clockMicros() {
        return delegate.clockMicros();
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        delegate.forgetReceipts(expiredBeforeMicros);
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        delegate.condemn(numbers, atMicros);
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        return delegate.condemned(afterNumber, limit);
    }

    @Override
    public void spare(Collection<Long> numbers) {
        delegate.spare(numbers);
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return delegate.delete(marks);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
