package org.anabranch.versioning.check;

/** How far a check goes. */
public enum CheckLevel {
    /** References, receipts, the repository record, and the headers of all reachable commits: O(commits). */
    QUICK,
    /** Besides that the ids of commits, their operations, trees and contents: O(everything that was ever written). */
    FULL
}
