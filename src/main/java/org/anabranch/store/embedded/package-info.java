/**
 * The store in one folder, on SQLite: the default that needs no set-up. Imports {@code store} and the model, and speaks
 * SQL. What another database needs goes to a package of its own beside this one.
 */
@NullMarked
package org.anabranch.store.embedded;

import org.jspecify.annotations.NullMarked;
