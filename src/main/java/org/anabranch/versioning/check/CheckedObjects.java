package org.anabranch.versioning.check;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredObjects;

/**
 * Reads what is stored, with headers that were found wrong put right, so that one damaged field is one finding and no walk goes
 * astray. What cannot be walked safely is refused.
 */
final class CheckedObjects implements ObjectReader {

    /** What is asked for was refused because a finding tells that it is damaged. */
    static final class KnownDamageException extends CorruptObjectException {

        private static final long serialVersionUID = 1L;

        private KnownDamageException(String message) {
            super(message);
        }
    }

    private final StoredObjects stored;
    private final Map<Long, Commit> corrected = new HashMap<>();
    private final Set<Long> unusableHeaders = new HashSet<>();
    private final Set<Long> unusableNodes = new HashSet<>();

    CheckedObjects(StoredObjects stored) {
        this.stored = stored;
    }

    /** What is stored, as it is. */
    StoredObjects stored() {
        return stored;
    }

    /** From now on this is what the header with its number says. */
    void correct(Commit commit) {
        corrected.put(commit.number(), commit);
    }

    /** From now on the header of a row is refused. */
    void refuseHeader(long number) {
        unusableHeaders.add(number);
    }

    /** From now on the nodes that were born in a row are refused. */
    void refuseNodes(long number) {
        unusableNodes.add(number);
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        throw new UnsupportedOperationException("A check goes by numbers");
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        for (long number : numbers) {
            if (unusableHeaders.contains(number)) {
                throw new KnownDamageException("The header of row " + number + " is damaged");
            }
        }
        return stored.commits(numbers).stream()
                .map(commit -> corrected.getOrDefault(commit.number(), commit))
                .toList();
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        for (NodeAddress address : addresses) {
            if (unusableNodes.contains(address.commitNumber())) {
                throw new KnownDamageException("The tree of row " + address.commitNumber() + " is damaged");
            }
        }
        return stored.nodes(addresses);
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return stored.wholeNodeBehind(address);
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        return stored.contents(entries);
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        return stored.operations(commit);
    }
}
