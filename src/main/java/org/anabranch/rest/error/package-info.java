/**
 * The one table from what went wrong to status, code and body. Imports {@code api-v2}, and the exceptions of {@code store}, which
 * nobody below the door may hide. What can be refused, and in which words, is decided where the rule lives.
 */
@NullMarked
package org.anabranch.rest.error;

import org.jspecify.annotations.NullMarked;
