/**
 * The suite that every store passes, with the small rows it is written in. Imports {@code store} and the model. What only
 * one backend promises is tested beside that backend.
 */
@NullMarked
package org.anabranch.store.contract;

import org.jspecify.annotations.NullMarked;
