/**
 * The catalog over HTTP: {@link org.anabranch.gc.CatalogSource} on any server of API v2.
 *
 * <p>May import the ports and the client of {@code org.anabranch.api.client}. What a commit means for files goes to {@code mark}.
 */
@NullMarked
package org.anabranch.gc.api;

import org.jspecify.annotations.NullMarked;
