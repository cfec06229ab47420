package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.LakeFileIO.UnsupportedSchemeException;
import org.anabranch.gc.storage.LakeFileIO.UnusableStorageException;
import org.anabranch.gc.sweep.Reach;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.Sweeper;
import org.anabranch.gc.sweep.Warehouse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where files may be deleted, and which. */
final class SweepRules {

    /** In the state folder, unless the operator names another file. */
    static final String REPORT = "report.jsonl";

    private static final Duration SHORTEST_GRACE = Duration.ofHours(1);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--warehouse",
            paramLabel = "PREFIX",
            required = true,
            description =
                    "folder or bucket that the lake's tables lie in; nothing outside is listed or deleted; may be repeated")
    private List<String> warehouses;

    @Option(
            names = "--whole-warehouse",
            description =
                    "judges every file in the warehouses, also where no content of the catalog ever lay: what only deleted"
                            + " branches knew goes, and so do files of tables that other catalogs know")
    private boolean wholeWarehouse;

    @Option(
            names = "--dry-run",
            description = "deletes nothing, and reports what would go; grace periods run all the same")
    private boolean dryRun;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "3d",
            converter = DurationText.class,
            description = "a file goes when two runs at least this far apart found it unreferenced (${DEFAULT-VALUE})")
    private Duration grace;

    @Option(names = "--allow-short-grace", description = "accepts a grace period below an hour")
    private boolean allowShortGrace;

    @Option(
            names = "--safety-age",
            paramLabel = "DURATION",
            defaultValue = "3d",
            converter = DurationText.class,
            description = "younger files stay, by their time of modification: writers may be about to commit them"
                    + " (${DEFAULT-VALUE})")
    private Duration safetyAge;

    @Option(
            names = "--clock-margin",
            paramLabel = "DURATION",
            defaultValue = "10m",
            converter = DurationText.class,
            description = "how far the storage's clock may be off; adds to the safety age (${DEFAULT-VALUE})")
    private Duration clockMargin;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1000",
            description = "files deleted between two readings of all references (${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "a JSON line for every file that goes is appended here (report.jsonl in the state folder)")
    private @Nullable Path report;

    /** @throws ParameterException if the options make no sense or are dangerous and not allowed */
    SweepOptions options() {
        if (grace.compareTo(SHORTEST_GRACE) < 0 && !allowShortGrace) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--grace: " + grace
                            + " is below an hour, and commits that are being made may still take up files that are"
                            + " unreferenced now. If you know that there are none, add --allow-short-grace.");
        }
        try {
            return new SweepOptions(
                    warehouses.stream().map(Warehouse::new).toList(),
                    wholeWarehouse ? Reach.WHOLE_WAREHOUSE : Reach.KNOWN_LOCATIONS,
                    grace,
                    safetyAge,
                    clockMargin,
                    batch);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Sees to it that the storages of the warehouses can be asked, before anything is read for a long time.
     *
     * @throws ParameterException if one cannot
     */
    void requireStorages(LakeFileIO io) {
        for (String warehouse : warehouses) {
            try {
                io.require(warehouse);
            } catch (UnsupportedSchemeException | UnusableStorageException e) {
                throw new ParameterException(spec.commandLine(), "--warehouse " + warehouse + ": " + e.getMessage(), e);
            }
        }
    }

    Sweeper.Mode mode() {
        return dryRun ? Sweeper.Mode.DRY_RUN : Sweeper.Mode.DELETE;
    }

    Path report(Path state) {
        return report == null ? state.resolve(REPORT) : report;
    }

    void warn(PrintWriter out) {
        if (wholeWarehouse) {
            out.println("Note: --whole-warehouse also takes files below " + String.join(", ", warehouses)
                    + " that this catalog never knew, such as those of tables in other catalogs.");
        }
    }
}
