package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.storage.LakeFileIO;
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

    /**
     * Opens what a step needs that may begin a run, and the state folder last: whoever is refused finds none.
     *
     * @param requirement looks at the storages of the lake, and refuses them with an exception
     * @return to be closed by the caller
     */
    Session begin(Consumer<LakeFileIO> requirement) {
        return open(requirement, (scope, source) -> {
            scope.requireWholeView(source);
            return StateFolder.open(state.folder(), source.repository());
        });
    }

    /** As {@link #begin}, of a step that goes on with a run and makes no state folder. */
    Session goOn(Consumer<LakeFileIO> requirement) {
        return open(requirement, (scope, source) -> StateFolder.openExisting(state.folder(), source.repository()));
    }

    private Session open(
            Consumer<LakeFileIO> requirement, BiFunction<Scope, ApiCatalogSource, StateFolder> stateFolder) {
        if (parallelism < 1 || parallelism > 256) {
            throw new ParameterException(
                    spec.commandLine(), "--parallelism: give a number from 1 to 256, not " + parallelism);
        }
        PrintWriter out = spec.commandLine().getOut();
        ApiCatalogSource source = catalog.source();
        LakeFileIO io = storage.open();
        try {
            requirement.accept(io);
            PolicyOptions.Chosen chosen = policies.policies(source);
            Scope scope = new Scope(
                    chosen.policies(),
                    policies.pins(),
                    storage.snapshots(),
                    catalog.readsAreUnfiltered() ? UnfilteredReads.ASSERTED : UnfilteredReads.SAID_BY_SERVER);
            out.println("Live by " + chosen.origin() + ": " + scope);
            return new Session(
                    stateFolder.apply(scope, source),
                    source,
                    scope,
                    chosen.leastSafetyAge(),
                    io,
                    storage.rate(),
                    parallelism,
                    InstantSource.system(),
                    out);
        } catch (RuntimeException e) {
            io.close();
            throw e;
        }
    }
}
