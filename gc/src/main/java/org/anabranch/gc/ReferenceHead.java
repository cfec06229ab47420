package org.anabranch.gc;

import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;

/** Where a branch or tag is; {@link CommitId#NO_ANCESTOR} for an empty one. */
public record ReferenceHead(ReferenceKind kind, String name, CommitId head) {}
