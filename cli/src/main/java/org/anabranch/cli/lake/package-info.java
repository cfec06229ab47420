/**
 * A local Iceberg warehouse as a data engineer sees it: tables through the Nessie catalog, rows in real Parquet files.
 *
 * <p>May import nothing of ours. What is done with the tables, and why, belongs to the demo and to the stories.
 */
@NullMarked
package org.anabranch.cli.lake;

import org.jspecify.annotations.NullMarked;
