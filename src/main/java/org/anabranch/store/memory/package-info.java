/**
 * A store in the memory of the process: for tests, and for trying Anabranch out. Imports {@code store} and the model
 * only. It is the strict one of the stores; what every backend must do stands in the contract suite, not here.
 */
@NullMarked
package org.anabranch.store.memory;

import org.jspecify.annotations.NullMarked;
