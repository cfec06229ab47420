/**
 * Authorities and certificates for tests, made when they are needed and never kept. Knows nothing of the service, which gets the
 * files, nor of clients, which get a context. Every certificate is for this machine alone.
 */
@NullMarked
package org.anabranch.certificates;

import org.jspecify.annotations.NullMarked;
