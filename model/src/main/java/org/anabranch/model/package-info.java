/**
 * The words of the domain: keys, hashes, references, operations, contents, conflicts and outcomes, as records that are
 * valid by construction, with their JSON form. Imports nothing of ours. What names an HTTP path, parameter or status
 * belongs to {@code api-v2}; what is stored or computed belongs to the service.
 */
@NullMarked
package org.anabranch.model;

import org.jspecify.annotations.NullMarked;
