package org.anabranch.model;

/** What a request is answered that changed a reference: the endings that are kept, to be told again to a repeat of the request. */
public sealed interface AppliedResult permits CommitOutcome.Committed, MergeOutcome.Merged, ReferenceChanged {}
