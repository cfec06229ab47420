package org.anabranch.dag;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;

/**
 * A first-parent line, read ahead in blocks. A block is read from its young end: the parents and jumps of commits in hand
 * name further ones inside the block, which come together in the next bulk read. Two jumps close one of twice the length, so
 * a block takes O(log of its size) of them.
 */
final class LineIterator implements Iterator<Commit> {

    private static final long FIRST_BLOCK = 16;
    private static final long LARGEST_BLOCK = 256;

    private final ObjectReader reader;
    private final Map<Long, Commit> block = new HashMap<>();
    private long blockSize = FIRST_BLOCK;
    private Commit last = Commit.NO_ANCESTOR;
    private long next;

    LineIterator(ObjectReader reader, Commit from) {
        this.reader = reader;
        this.next = from.number();
        block.put(from.number(), from);
    }

    @Override
    public boolean hasNext() {
        return next != 0;
    }

    @Override
    public Commit next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (!block.containsKey(next)) {
            readBlockBelow(last);
        }
        last = block.remove(next);
        next = CommitGraph.firstParent(last);
        return last;
    }

    private void readBlockBelow(Commit young) {
        long lowestSeq = Math.max(1, young.seq() - blockSize);
        blockSize = Math.min(2 * blockSize, LARGEST_BLOCK);
        List<Commit> known = List.of(young);
        while (!known.isEmpty()) {
            List<Long> wanted = known.stream()
                    .mapMulti((Commit commit, Consumer<Long> want) -> {
                        if (commit.seq() > lowestSeq) {
                            want.accept(CommitGraph.firstParent(commit));
                        }
                        if (commit.jumpSeq() >= lowestSeq) {
                            want.accept(commit.jump());
                        }
                    })
                    .filter(number -> !block.containsKey(number))
                    .distinct()
                    .toList();
            known = wanted.isEmpty() ? List.of() : reader.commits(wanted);
            known.forEach(commit -> block.put(commit.number(), commit));
        }
    }
}
