/**
 * The HTTP contract of the REST API, version 2: resource interfaces with their paths and parameters, and the bodies of requests
 * and responses in exactly the JSON that clients read. Imports {@code model}. What a request means belongs to the service; the
 * words that are not the wire's alone belong to {@code model}.
 */
@NullMarked
package org.anabranch.api.v2;

import org.jspecify.annotations.NullMarked;
