package org.anabranch.model;

/** Why an operation cannot be applied; the constant's name is the wire name. */
public enum ConflictType {
    /** The key is created although it exists. */
    KEY_EXISTS,
    /** The key is updated or deleted although it does not exist. */
    KEY_DOES_NOT_EXIST,
    /** The key holds another type than expected. */
    PAYLOAD_DIFFERS,
    /** The key holds another content id than expected. */
    CONTENT_ID_DIFFERS,
    /** The key holds the expected content in another state. */
    VALUE_DIFFERS,
    /** A namespace that must hold the key is missing; reported under the key of the namespace. */
    NAMESPACE_ABSENT,
    /** The parent of the key is not a namespace; reported under the key of the parent. */
    NOT_A_NAMESPACE,
    /** A namespace with contents below it would go; reported under the key of the namespace. */
    NAMESPACE_NOT_EMPTY,
    /** The reference is not at the expected hash; has no key. */
    UNEXPECTED_HASH
}
