package org.anabranch.filter;

import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;

/** An entry of a commit as filters see it: contents and content ids are no part of it. */
public record EntryView(ContentKey key, ContentType type) {}
