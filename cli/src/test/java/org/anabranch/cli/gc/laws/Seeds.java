package org.anabranch.cli.gc.laws;

import java.util.stream.LongStream;

/**
 * The seeds that the laws are tried with: from 1 on, as many as {@code -Danabranch.gc.seeds=N} says, or from another one with
 * {@code -Danabranch.gc.seed=N}.
 */
final class Seeds {

    private Seeds() {}

    static LongStream some() {
        long first = Long.getLong("anabranch.gc.seed", 1);
        return LongStream.range(first, first + Long.getLong("anabranch.gc.seeds", 1));
    }
}
