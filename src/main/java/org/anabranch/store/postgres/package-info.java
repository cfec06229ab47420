/**
 * The store for production: PostgreSQL, shared by any number of processes. Imports {@code store}, {@code store.sql} and the
 * model, and speaks SQL that distributed databases on PostgreSQL's wire protocol understand as well; docs/formats.md lists what
 * it takes for granted. Where settings come from, and who is told what is wrong with a database, is decided in {@code wiring}.
 */
@NullMarked
package org.anabranch.store.postgres;

import org.jspecify.annotations.NullMarked;
