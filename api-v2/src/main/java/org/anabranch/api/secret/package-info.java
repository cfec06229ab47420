/**
 * How files are read that hold a secret: one rule for the service, its commands and the collector.
 *
 * <p>Imports nothing of ours. What a secret is for is known to whoever reads it; how it is sent is a matter of {@code api.client}.
 */
@NullMarked
package org.anabranch.api.secret;

import org.jspecify.annotations.NullMarked;
