/**
 * Checks of what is deployed: the archive, its bill of materials, the chart, the Compose file, default settings.
 *
 * <p>May import nothing of ours. What runs belongs to the stories of the command line, and to the scripts below {@code .ci}.
 */
@NullMarked
package org.anabranch.distribution;

import org.jspecify.annotations.NullMarked;
