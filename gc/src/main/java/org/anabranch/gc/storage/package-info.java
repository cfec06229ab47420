/**
 * The storages that hold the lake's files: local folders and S3, through Iceberg's FileIO.
 *
 * <p>Imports the ports of {@code gc} alone. Which files are needed and which may go is decided in {@code expand} and
 * {@code sweep}; here a file is only read, listed or deleted.
 */
@NullMarked
package org.anabranch.gc.storage;

import org.jspecify.annotations.NullMarked;
