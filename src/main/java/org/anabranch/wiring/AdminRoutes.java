package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.ManagementInterface;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.rest.AdminDoor;
import org.anabranch.rest.ExportRoute;
import org.anabranch.rest.OperatorTrail;
import org.anabranch.rest.RunRoutes;
import org.anabranch.security.Check;
import org.anabranch.service.BackgroundRun;
import org.anabranch.service.ExportRepository;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;

/** Opens what operators ask of a running service on its management port. */
@Singleton
public final class AdminRoutes {

    static final String CHECK = "/admin/check";
    static final String SWEEP = "/admin/sweep";
    static final String EXPORT = "/admin/export";

    /** Of the framework, with what is below. */
    private static final String METRICS = "/q/metrics*";

    private final BackgroundRun<CheckLevel, CheckStage, CheckReport> check;
    private final BackgroundRun<SweepMode, SweepStage, SweepReport> sweep;
    private final ExportRepository exports;
    private final AdminDoor door;
    private final OperatorTrail trail;
    private final ObjectMapper json;

    AdminRoutes(
            BackgroundRun<CheckLevel, CheckStage, CheckReport> check,
            BackgroundRun<SweepMode, SweepStage, SweepReport> sweep,
            ExportRepository exports,
            AdminDoor door,
            OperatorTrail trail,
            ObjectMapper json) {
        this.check = check;
        this.sweep = sweep;
        this.exports = exports;
        this.door = door;
        this.trail = trail;
        this.json = json;
    }

    void open(@Observes ManagementInterface management) {
        door.guard(management.router(), CHECK, Check.ADMIN_CHECK);
        door.guard(management.router(), SWEEP, Check.ADMIN_SWEEP);
        door.guard(management.router(), EXPORT, Check.ADMIN_EXPORT);
        door.guard(management.router(), METRICS, Check.ADMIN_METRICS);
        new RunRoutes<>(CHECK, check, CheckLevel.class, trail, json).open(management.router());
        new RunRoutes<>(SWEEP, sweep, SweepMode.class, trail, json).open(management.router());
        new ExportRoute(EXPORT, exports, trail).open(management.router());
    }
}
