package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.Locale;
import org.anabranch.rest.CheckRoutes;
import org.anabranch.service.CheckRepository.State;
import org.anabranch.service.CheckRepository.Status;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckProgress;
import org.anabranch.versioning.check.CheckReport;

/** Has a running service check its store, by its management port. */
final class ServiceCheck {

    private final AdminPort<Status> port;

    ServiceCheck(URI service, ObjectMapper json) {
        this.port = new AdminPort<>(service, CheckRoutes.PATH, Status.class, json);
    }

    CheckReport run(CheckLevel level, CheckProgress progress) {
        Status status = port.start("level=" + level.name().toLowerCase(Locale.ROOT));
        while (status.report() == null) {
            if (status.failure() != null) {
                throw new CommandFailedException("the service could not check its store: " + status.failure(), null);
            }
            if (status.state() == State.NONE) {
                throw new CommandFailedException(
                        "the service was started anew, and its check is gone: check again", null);
            }
            if (status.stage() != null) {
                progress.at(status.stage(), status.done(), status.total());
            }
            status = port.poll();
        }
        return status.report();
    }
}
