/**
 * The demo: the main story told on real Iceberg tables, every claim checked.
 *
 * <p>May import {@code service}, {@code lake} and {@code gc}. Checks that no reader of the demo would follow belong to the
 * stories among the tests.
 */
@NullMarked
package org.anabranch.cli.demo;

import org.jspecify.annotations.NullMarked;
