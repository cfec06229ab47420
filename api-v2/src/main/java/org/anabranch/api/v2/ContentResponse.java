package org.anabranch.api.v2;

import org.anabranch.model.Content;

/** One content, and the commit it was read at. */
public record ContentResponse(Content content, ReferenceBody effectiveReference) {}
