/**
 * Puts the service together: configuration, producers with plain constructors, start, health, end, and the program's options.
 * Imports everything, is imported by nobody, and alone names concrete stores, the clock and the source of random ids. What
 * decides anything about requests belongs below.
 */
@NullMarked
package org.anabranch.wiring;

import org.jspecify.annotations.NullMarked;
