package org.anabranch.versioning.check;

/** How far a check goes. */
public enum CheckLevel {
    /** What {@link #QUICK} looks at, and the ids of commits, their operations, trees and contents: O(everything that was ever written). */
    FULL,
    /** References, receipts, the repository record, and the headers of all reachable commits: O(commits). */
    QUICK
}
