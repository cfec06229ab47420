package org.anabranch.rest;

/** Where it is kept who changed what, and who was not allowed to. Safe from many threads. */
public interface AuditTrail {

    /** Keeps nothing. */
    AuditTrail OFF = new AuditTrail() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void intend(AuditEntry.Request request) {}

        @Override
        public void record(AuditEntry.Event event, AuditEntry.Request request, AuditEntry.Effect effect) {}
    };

    /** Whether anything is kept at all. */
    boolean isOn();

    /**
     * Says that a write is about to be tried.
     *
     * @throws org.anabranch.model.RefusedException 503 if it must not be tried, because this cannot be kept
     */
    void intend(AuditEntry.Request request);

    /** Says how a request ended. What cannot be kept any more is told in the log. */
    void record(AuditEntry.Event event, AuditEntry.Request request, AuditEntry.Effect effect);
}
