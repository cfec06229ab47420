/**
 * Completes the OpenAPI document while the service is built: schemas of bodies as Jackson reads and writes them, and parameters
 * that many operations share. Imports {@code api.v2}. What the document says in words stands at the resource interfaces.
 */
@NullMarked
package org.anabranch.rest.openapi;

import org.jspecify.annotations.NullMarked;
