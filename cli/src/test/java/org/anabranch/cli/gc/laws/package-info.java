/**
 * The laws of garbage collection, held against the built service and the built collector.
 *
 * <p>{@link org.anabranch.cli.gc.laws.RandomLake} makes warehouses with random histories, and
 * {@link org.anabranch.cli.gc.laws.LakeAudit} says what must be in them. They share no code with the collector: the audit
 * lists every live commit, every content and every file, through the public API and Iceberg's own readers.
 */
@NullMarked
package org.anabranch.cli.gc.laws;

import org.jspecify.annotations.NullMarked;
