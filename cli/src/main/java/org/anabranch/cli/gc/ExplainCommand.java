package org.anabranch.cli.gc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.state.CommitLog.Put;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.state.UnreferencedFiles.Unreferenced;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells why a file is unreferenced, by what the latest run found. */
@Command(
        name = "explain",
        description =
                "Tells why a file is unreferenced, since when, and what it belonged to. Asks the latest run, not the catalog.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ExplainCommand implements Callable<Integer> {

    private static final int COMMITS_IN_OUTPUT = 5;

    @Spec
    private CommandSpec spec;

    @Mixin
    private StateOption stateOption;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "where sweeps reported to (report.jsonl in the state folder)")
    private @Nullable Path report;

    @Parameters(paramLabel = "FILE", description = "as a path or URI, in any spelling")
    private String file;

    /** Returns 0 if the file is unreferenced, 1 if it is needed or not known. */
    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        FileLocation location = Latest.location(spec, file);
        try (StateFolder state = StateFolder.openExisting(stateOption.folder())) {
            Run run = Latest.marked(state);
            if (!state.liveFiles().way(location).isEmpty()) {
                out.println(location + " is needed: gc why tells by what.");
                return 1;
            }
            out.println(
                    "Nothing that was live at " + run.startedAt() + " (run " + run.id() + ") needs " + location + ".");
            out.println("Live by: " + run.policies());
            Optional<Unreferenced> found = find(state, location);
            found.ifPresentOrElse(
                    each -> out.println("It has " + each.file().bytes() + " bytes, was modified at "
                            + each.file().modifiedAt() + ", and is unreferenced since run " + each.sinceRun()
                            + ", complete at "
                            + each.since() + ". A run that begins the grace period later may delete it."),
                    () -> out.println(
                            run.sweptAt() == null
                                    ? "The run has not looked at all folders yet: it is not known whether the file is there."
                                    : "The run did not find it: it is not there, was written since the run began or less than"
                                            + " the clock margin before, or lies in no folder that was swept."));
            reported(state).ifPresent(line -> out.println("The report ends on it with: " + line));
            List<String> claims = claims(state, location).toList();
            whyLeftAlone(state, location, claims).ifPresent(out::println);
            if (claims.isEmpty()) {
                out.println("No content claims or claimed a folder around it: only --whole-warehouse looks there.");
            }
            claims.forEach(claim -> tell(out, state, claim));
            Stream<Put> puts = spellings(location)
                    .flatMap(spelling -> state.commitLog().putsOf(spelling, COMMITS_IN_OUTPUT).stream());
            puts.forEach(put -> out.println("It is the metadata of " + put.key() + " (content " + put.contentId()
                    + ") by commit " + put.commit() + " of " + put.committedAt()
                    + ", which no reference has inside its cutoff."));
            return found.isPresent() ? 0 : 1;
        }
    }

    private Optional<Unreferenced> find(StateFolder state, FileLocation location) {
        return spellings(location)
                .flatMap(spelling -> state.unreferencedFiles().find(spelling).stream())
                .findFirst();
    }

    /** What sweeps last told of the file. */
    private Optional<String> reported(StateFolder state) {
        Path lines = report == null ? state.folder().resolve(SweepRules.REPORT) : report;
        if (!Files.exists(lines)) {
            return Optional.empty();
        }
        Set<JsonNode> paths =
                spellings(FileLocation.parse(file)).map(TextNode::valueOf).collect(Collectors.toSet());
        try (Stream<String> all = Files.lines(lines)) {
            return all.filter(line -> paths.stream().anyMatch(path -> line.contains("\"path\":" + path)))
                    .reduce((earlier, later) -> later);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("The report " + lines + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Folders that overlap are left alone together. */
    private static Optional<String> whyLeftAlone(StateFolder state, FileLocation location, List<String> claims) {
        return state.untouchables().folders().stream()
                .filter(folder -> isWithin(location, folder.path())
                        || isLocation(folder.path())
                                && claims.stream()
                                        .anyMatch(claim -> isWithin(FileLocation.parse(folder.path()), claim)))
                .findFirst()
                .map(folder -> "It is left alone with " + folder.path() + ": " + folder.reason());
    }

    private static boolean isLocation(String path) {
        try {
            return !FileLocation.parse(path).value().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Storages and catalogs may spell the file in several ways, of which these are the usual ones. */
    private Stream<String> spellings(FileLocation location) {
        String path = location.value().replaceFirst("^file://", "");
        return Stream.of(file, location.value(), path, "file:" + path).distinct();
    }

    private static Stream<String> claims(StateFolder state, FileLocation location) {
        return state.knownLocations().claims().stream()
                .filter(claim -> isWithin(location, claim))
                .sorted();
    }

    /** Names a folder and the contents whose metadata lay in it. */
    private static void tell(PrintWriter out, StateFolder state, String claim) {
        out.println("It lies in " + claim + ", where the catalog has or had contents:");
        state.commitLog().knownContents(content -> {
            String metadata = content.pointer().metadataLocation();
            if (isLocation(metadata) && isWithin(FileLocation.parse(metadata), claim)) {
                out.println("  " + content.key() + " (content " + content.contentId() + "), last with "
                        + content.pointer().metadataLocation());
            }
        });
    }

    private static boolean isWithin(FileLocation location, String claim) {
        try {
            return location.isWithin(FileLocation.parse(claim));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
