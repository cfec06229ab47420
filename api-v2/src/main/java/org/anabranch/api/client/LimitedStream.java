package org.anabranch.api.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with {@link Exceeded} where more than so many bytes come. */
final class LimitedStream extends FilterInputStream {

    private long left;

    LimitedStream(InputStream in, long bytes) {
        super(in);
        this.left = bytes;
    }

    /** There are more bytes than allowed. */
    static final class Exceeded extends IOException {

        private static final long serialVersionUID = 1L;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        if (read >= 0) {
            count(1);
        }
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        if (read > 0) {
            count(read);
        }
        return read;
    }

    private void count(int read) throws Exceeded {
        left -= read;
        if (left < 0) {
            throw new Exceeded();
        }
    }
}
