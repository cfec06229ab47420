package org.anabranch.filter;

/** The filter that a client does not send. */
record EverythingFilter<T>() implements Filter<T> {

    @Override
    public boolean test(T object) {
        return true;
    }

    @Override
    public KeyScope scope() {
        return KeyScope.ALL;
    }

    @Override
    public Filter<T> limited(Runnable timeLimit) {
        return this;
    }
}
