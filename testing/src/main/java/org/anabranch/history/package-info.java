/**
 * Histories of concurrent clients, and the checker that says whether references behaved like single cells that are changed by
 * compare-and-swap. Knows nothing of the service: hashes are texts, and clients say what they asked and what they were answered.
 * How requests are sent is the business of the tests that send them.
 */
@NullMarked
package org.anabranch.history;

import org.jspecify.annotations.NullMarked;
