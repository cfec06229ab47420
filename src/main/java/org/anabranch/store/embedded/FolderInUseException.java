package org.anabranch.store.embedded;

/** The folder of a store is held by another process, or by this one already. The message says by whom. */
public class FolderInUseException extends UnusableFolderException {

    private static final long serialVersionUID = 1L;

    FolderInUseException(String message) {
        super(message, null);
    }
}
