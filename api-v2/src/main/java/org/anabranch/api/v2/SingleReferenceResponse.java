package org.anabranch.api.v2;

/** One reference. */
public record SingleReferenceResponse(ReferenceBody reference) {}
