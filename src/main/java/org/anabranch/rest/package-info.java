/**
 * The resources of the API: each parses its request, calls one use case and maps the outcome to a body. Imports {@code api-v2},
 * {@code service} and {@code security}. The order of steps belongs to {@code service}, status codes to {@code rest.error}.
 */
@NullMarked
package org.anabranch.rest;

import org.jspecify.annotations.NullMarked;
