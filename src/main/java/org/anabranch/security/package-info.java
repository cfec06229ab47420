/**
 * Who is asking, the rules, and the decision: a question is answered from the rules alone, never from what is stored. Imports
 * nothing of ours but {@code model} and {@code filter}. Where a caller's name comes from belongs to {@code rest}, and what is asked
 * in which order to {@code service}.
 */
@NullMarked
package org.anabranch.security;

import org.jspecify.annotations.NullMarked;
