package org.anabranch.versioning.commit;

/**
 * Hears what a {@link BranchWriter} does, for those who measure it. Called by many threads in the middle of writes, so it returns at
 * once and throws nothing.
 */
public interface WriteListener {

    /** Hears nothing. */
    WriteListener NONE = new WriteListener() {

        private static final Underway UNHEARD = new Underway() {
            @Override
            public void ended(WriteTimes times, WriteResult<?> result) {}

            @Override
            public void failed(WriteTimes times, Throwable failure) {}
        };

        @Override
        public Underway begun(String branch) {
            return UNHEARD;
        }

        @Override
        public void published(int changes, int commits, long bytes) {}
    };

    /** A change was handed in. Called on its caller's thread, as is the method of the result that its ending calls. */
    Underway begun(String branch);

    /**
     * A write of a branch was published. Called on the thread of one of its changes, before any of them has ended.
     *
     * @param changes that have commits in it, at least 1
     * @param commits of all of them
     * @param bytes of the commit rows
     */
    void published(int changes, int commits, long bytes);

    /** Hears how one change ends. */
    interface Underway {

        void ended(WriteTimes times, WriteResult<?> result);

        /** @param failure what {@link BranchWriter#write} throws */
        void failed(WriteTimes times, Throwable failure);
    }
}
