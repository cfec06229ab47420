/**
 * What the stores on SQL have in common: how records of the SPI become columns and back. Imports {@code store} and the model,
 * and is imported by those backends alone. Statements and connections are each backend's own.
 */
@NullMarked
package org.anabranch.store.sql;

import org.jspecify.annotations.NullMarked;
