package org.anabranch.model;

/** Why a request was refused; the constant's name is the wire name. The HTTP status of each stands in the service's error table. */
public enum ErrorCode {
    UNKNOWN,
    SERVICE_UNAVAILABLE,
    REFERENCE_NOT_FOUND,
    REFERENCE_ALREADY_EXISTS,
    CONTENT_NOT_FOUND,
    REFERENCE_CONFLICT,
    BAD_REQUEST,
    FORBIDDEN,
    TOO_MANY_REQUESTS,
    UNSUPPORTED_MEDIA_TYPE
}
