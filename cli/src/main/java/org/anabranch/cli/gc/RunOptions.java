package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.time.InstantSource;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that the commands of all steps share. */
final class RunOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CatalogOptions catalog;

    @Mixin
    private PolicyOptions policies;

    @Mixin
    private StorageOptions storage;

    @Mixin
    private StateOption state;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "4",
            description = "how much is read at the same time (${DEFAULT-VALUE})")
    private int parallelism;

    /** Opens everything that a step needs; the caller closes it. */
    Session open() {
        if (parallelism < 1 || parallelism > 256) {
            throw new ParameterException(
                    spec.commandLine(), "--parallelism: give a number from 1 to 256, not " + parallelism);
        }
        PrintWriter out = spec.commandLine().getOut();
        ApiCatalogSource source = catalog.source();
        PolicyOptions.Chosen chosen = policies.policies(source);
        Scope scope = new Scope(
                chosen.policies(),
                policies.pins(),
                storage.snapshots(),
                catalog.readsAreUnfiltered() ? UnfilteredReads.ASSERTED : UnfilteredReads.SAID_BY_SERVER);
        out.println("Live by " + chosen.origin() + ": " + scope);
        return Session.open(
                state.folder(),
                source,
                scope,
                chosen.leastSafetyAge(),
                storage,
                parallelism,
                InstantSource.system(),
                out);
    }
}
