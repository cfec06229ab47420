package org.anabranch.store;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The conditional part of a write: one mutable row, from the state that the caller saw to the state it shall have. */
public sealed interface Change {

    /** The stored commits that a write with this change leads to, and whose marks it takes: those adopted, and the expected head. */
    Set<Long> reached(Collection<Long> adopted);

    /**
     * Creates ({@code expected} null), moves, or deletes ({@code next} null) a reference. Applied iff the reference now
     * has the expected incarnation and version, or does not exist when none is expected.
     *
     * <p>A created reference has version 1. A moved one keeps name, kind, incarnation and creation time, and its version
     * grows by one.
     */
    record OfReference(
            String name,
            @Nullable ReferenceRow expected,
            @Nullable ReferenceRow next) implements Change {

        public OfReference {
            if (expected == null && next == null) {
                throw new IllegalArgumentException("A change creates, moves or deletes a reference");
            }
            if (expected != null && !expected.name().equals(name)
                    || next != null && !next.name().equals(name)) {
                throw new IllegalArgumentException("A change is of one reference");
            }
            if (next != null && next.version() != (expected == null ? 1 : expected.version() + 1)) {
                throw new IllegalArgumentException("The version starts at 1 and grows by one");
            }
            if (expected != null && next != null && !isSameReference(expected, next)) {
                throw new IllegalArgumentException("A move keeps kind, incarnation and creation time");
            }
        }

        /** Whether a reference is in the state that the caller saw; null for none. */
        public boolean expects(@Nullable ReferenceRow current) {
            return expected == null || current == null
                    ? expected == current
                    : expected.incarnation() == current.incarnation() && expected.version() == current.version();
        }

        @Override
        public Set<Long> reached(Collection<Long> adopted) {
            Set<Long> reached = new LinkedHashSet<>(adopted);
            if (expected != null) {
                reached.add(expected.head().number());
            }
            return reached;
        }

        private static boolean isSameReference(ReferenceRow one, ReferenceRow other) {
            return one.kind() == other.kind()
                    && one.incarnation() == other.incarnation()
                    && one.createdAtMicros() == other.createdAtMicros();
        }
    }

    /**
     * Creates ({@code expected} null) or replaces the repository record. Applied iff it has the expected version.
     *
     * <p>A created record has version 1. A replaced one keeps id and salt, and its version grows by one.
     */
    record OfRepository(@Nullable RepositoryRow expected, RepositoryRow next) implements Change {

        public OfRepository {
            if (next.version() != (expected == null ? 1 : expected.version() + 1)) {
                throw new IllegalArgumentException("The version starts at 1 and grows by one");
            }
            if (expected != null && !(expected.id().equals(next.id()) && Arrays.equals(expected.salt(), next.salt()))) {
                throw new IllegalArgumentException("A repository keeps id and salt");
            }
        }

        /** Whether the record is in the state that the caller saw; null for none. */
        public boolean expects(@Nullable RepositoryRow current) {
            return expected == null || current == null ? expected == current : expected.version() == current.version();
        }

        @Override
        public Set<Long> reached(Collection<Long> adopted) {
            return Set.copyOf(adopted);
        }
    }
}
