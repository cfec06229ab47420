package org.anabranch.cli.gc;

import java.util.LinkedHashMap;
import java.util.Map;
import org.anabranch.gc.expand.SnapshotScope;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the storages of the lake are reached, and what of live metadata counts. */
final class StorageOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--storage-property",
            paramLabel = "NAME=VALUE",
            description =
                    "of Iceberg's S3FileIO, such as s3.endpoint=https://..., client.region=eu-central-1; may be repeated."
                            + " Without keys, the AWS environment counts")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = "--storage-requests-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = "reads, lists and deletes no more often; 0 for no limit (${DEFAULT-VALUE})")
    private double requestsPerSecond;

    @Option(
            names = "--snapshots",
            paramLabel = "all|recorded",
            defaultValue = "all",
            description =
                    "which snapshots of live metadata are live: all that it lists, so that time travel within the table works,"
                            + " or only the one that the catalog records (${DEFAULT-VALUE})")
    private SnapshotScope snapshots;

    SnapshotScope snapshots() {
        return snapshots;
    }

    /** @throws ParameterException if files would be reported as deleted that are not */
    LakeFileIO open() {
        if (properties.getOrDefault("s3.delete-enabled", "true").equalsIgnoreCase("false")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--storage-property: with s3.delete-enabled=false files would be reported as deleted that are still"
                            + " there. Leave it out; --dry-run deletes nothing.");
        }
        if (!(requestsPerSecond >= 0)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--storage-requests-per-second: give 0 for no limit, or more, not " + requestsPerSecond);
        }
        return new LakeFileIO(properties, rate());
    }

    RequestRate rate() {
        return requestsPerSecond == 0
                ? RequestRate.unlimited()
                : RequestRate.perSecond(requestsPerSecond, System::nanoTime);
    }
}
