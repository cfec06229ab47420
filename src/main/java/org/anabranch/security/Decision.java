package org.anabranch.security;

import org.jspecify.annotations.Nullable;

/**
 * What the rules say to a question.
 *
 * @param rule that decides; null if none speaks of it, which denies it
 */
public record Decision(
        Question question, boolean allowed, @Nullable Rule rule) {}
