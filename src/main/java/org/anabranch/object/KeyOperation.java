package org.anabranch.object;

/** What a commit did to one key, as it is stored: the content of a put key is looked up in the commit's index. */
public record KeyOperation(Kind kind, IndexKey key) {

    public enum Kind {
        PUT,
        DELETE
    }
}
