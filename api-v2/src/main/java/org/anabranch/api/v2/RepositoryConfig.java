package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A set of settings that clients keep in the repository, one object per type. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes(@JsonSubTypes.Type(value = GarbageCollectorConfig.class, name = GarbageCollectorConfig.TYPE))
public sealed interface RepositoryConfig permits GarbageCollectorConfig {}
