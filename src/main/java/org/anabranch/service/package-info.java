/**
 * The use cases, one class each: the order of its steps and nothing else. Imports {@code versioning.*} and {@code security},
 * and of {@code object} and {@code store} what passes through it. What compares keys belongs to {@code versioning}, what parses or
 * answers HTTP to {@code rest}.
 */
@NullMarked
package org.anabranch.service;

import org.jspecify.annotations.NullMarked;
