/** Ways to break what lies between the service and its database. Knows nothing of the service. */
@NullMarked
package org.anabranch.faults;

import org.jspecify.annotations.NullMarked;
