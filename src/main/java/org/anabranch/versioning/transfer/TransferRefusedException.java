package org.anabranch.versioning.transfer;

/** There is nothing that could be exported, or no place to import into. The message says why, and what to do. */
public class TransferRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TransferRefusedException(String message) {
        super(message);
    }
}
