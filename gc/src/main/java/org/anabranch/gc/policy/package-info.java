/**
 * Cutoff policies: how far back references keep alive what their commits show, by the operator's words.
 *
 * <p>Imports the ports' values and the settings record of API v2. The walk that goes by a cutoff is in {@code mark}.
 */
@NullMarked
package org.anabranch.gc.policy;

import org.jspecify.annotations.NullMarked;
