/**
 * A real database for tests, to be killed, started again and told to misbehave. Knows nothing of the service: whoever opens a
 * store on it or starts a service with it does so by its url.
 */
@NullMarked
package org.anabranch.database;

import org.jspecify.annotations.NullMarked;
