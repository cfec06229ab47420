package org.anabranch.api.ext;

import org.anabranch.api.v2.ReferenceBody;

/** How many keys lie below a key at a commit; the key itself does not count. */
public record KeyCountResponse(ReferenceBody effectiveReference, long count) {}
