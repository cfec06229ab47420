/**
 * A thin client of the API, for any server that speaks v2.
 *
 * <p>Made of the JDK's HTTP client and Jackson, and knows paths, paging and patience alone: answers are JSON trees, because servers may
 * say more, and other things, than the records of {@code api.v2} hold. What an answer means goes to its reader.
 */
@NullMarked
package org.anabranch.api.client;

import org.jspecify.annotations.NullMarked;
