package org.anabranch.security;

/** The rules in force. Safe from many threads. */
@FunctionalInterface
public interface Policy {

    /** Nobody is restricted. */
    Policy NONE = Access::unrestricted;

    /** What a caller may do by the rules of this moment, also when others come into force later. */
    Access of(Principal caller);
}
