package org.anabranch.versioning.transfer;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The records of a block, each behind its size. */
final class RecordIterator implements Iterator<byte[]> {

    private final ExportReader.Block block;
    private final ByteBuffer left;

    RecordIterator(ExportReader.Block block) {
        this.block = block;
        this.left = ByteBuffer.wrap(block.payload());
    }

    @Override
    public boolean hasNext() {
        return left.hasRemaining();
    }

    @Override
    public byte[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int length = left.remaining() < Integer.BYTES ? -1 : left.getInt();
        if (length < 0 || length > left.remaining()) {
            throw block.wrong("a record is cut off in its block", null);
        }
        byte[] record = new byte[length];
        left.get(record);
        return record;
    }
}
