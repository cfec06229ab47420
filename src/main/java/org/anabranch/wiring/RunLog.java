package org.anabranch.wiring;

import java.io.IOException;
import java.util.function.Function;
import org.anabranch.service.BackgroundRun;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.sweep.UnsweepableException;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.jboss.logging.Logger;

/**
 * Tells the log how each run ended: nobody may be asking.
 *
 * @param name of what ran
 * @param summary of a report, on one line
 */
record RunLog<R>(String name, Function<R, String> summary) implements BackgroundRun.Listener<R> {

    private static final Logger LOG = Logger.getLogger("anabranch");

    @Override
    public void ended(R report) {
        LOG.infof("The %s has ended: %s", name, summary.apply(report));
    }

    @Override
    public void failed(Throwable cause) {
        switch (cause) {
            case StoreUnavailableException e -> LOG.warnf("The %s failed: %s", name, e.getMessage());
            case OutcomeUnknownException e -> LOG.warnf("The %s failed: %s", name, e.getMessage());
            case TransferRefusedException e -> LOG.errorf("The %s failed: %s", name, e.getMessage());
            case IOException e -> LOG.warnf("The %s failed: %s", name, e.getMessage());
            case UnsweepableException e -> LOG.errorf("The %s failed: %s", name, e.getMessage());
            default -> LOG.errorf(cause, "The %s failed", name);
        }
    }
}
