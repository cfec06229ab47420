package org.anabranch.gc.sweep;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.state.Untouchables.Untouchable;
import org.anabranch.gc.sweep.LeftAlone.Cause;

/**
 * Where files may be deleted: in the folders that contents claim, as far as they lie in a warehouse and need not be left alone.
 *
 * <p>Folders that share files are judged as one. Of those that lie in one another only the outermost counts, with all that it holds; and
 * if anything in it, it itself or anything around it must be left alone, so must all of it. A folder that holds a whole
 * warehouse is refused, and joins none of the others to each other.
 */
final class SweepArea {

    private static final String LOCAL_ROOT = FileLocation.parse("/").value();

    private final List<Warehouse> warehouses;
    private final Reach reach;
    private final List<LeftAlone> leftAlone = new ArrayList<>();
    /** The outermost folders, each with the paths by which it and what it holds are claimed. */
    private final Map<FileLocation, SortedSet<String>> outermost = new TreeMap<>();
    /** What must be left alone, with the reason; where that is within an outermost folder or around it, also that. */
    private final Map<FileLocation, String> untouchable = new TreeMap<>();

    private SweepArea(List<Warehouse> warehouses, Reach reach) {
        this.warehouses = warehouses;
        this.reach = reach;
    }

    /**
     * Judges all folders.
     *
     * @param claims paths of folders, as metadata spells them
     * @param withoutLinks gives the folder that a path leads to when links are followed
     */
    static SweepArea of(
            Collection<String> claims,
            Collection<Untouchable> untouchables,
            List<Warehouse> warehouses,
            Reach reach,
            UnaryOperator<String> withoutLinks) {
        SweepArea area = new SweepArea(warehouses, reach);
        area.addClaims(new TreeSet<>(claims), withoutLinks);
        area.addUntouchables(untouchables, withoutLinks);
        return area;
    }

    /** The folders that are claimed or must be left alone and are not swept, with the reasons. */
    List<LeftAlone> leftAlone() {
        return List.copyOf(leftAlone);
    }

    /** The paths to list: none leads to a place that another one leads to. */
    List<String> folders() {
        Stream<String> paths =
                switch (reach) {
                    case KNOWN_LOCATIONS ->
                        outermost.entrySet().stream()
                                .filter(folder -> !untouchable.containsKey(folder.getKey()))
                                .flatMap(folder -> folder.getValue().stream());
                    case WHOLE_WAREHOUSE -> warehouses.stream().map(Warehouse::path);
                };
        // What metadata writes encoded or with double slashes, its writer may have understood either way.
        Stream<String> spellings =
                paths.flatMap(path -> Stream.of(path, FileLocation.parse(path).value()));
        TreeSet<String> plain = new TreeSet<>();
        spellings.map(Warehouse::plain).filter(this::isInWarehouse).forEach(plain::add);
        return plain.stream()
                .filter(path -> ancestors(path).noneMatch(plain::contains))
                .toList();
    }

    /**
     * Why a file must not be deleted, whatever is known of it otherwise; empty if it may.
     *
     * @param path as its storage spells it
     */
    Optional<String> refusal(String path) {
        if (!isInWarehouse(path)) {
            return Optional.of("it lies in no warehouse");
        }
        FileLocation location = FileLocation.parse(path);
        Optional<FileLocation> alone = nearest(location, untouchable::containsKey);
        if (alone.isPresent()) {
            return Optional.of(alone.get() + " must be left alone: " + untouchable.get(alone.get()));
        }
        if (reach == Reach.KNOWN_LOCATIONS && folderOf(location).isEmpty()) {
            return Optional.of("it lies in no folder that a content claims");
        }
        return Optional.empty();
    }

    /** The outermost claimed folder that a location lies in. */
    Optional<FileLocation> folderOf(FileLocation location) {
        return nearest(location, outermost::containsKey);
    }

    private boolean isInWarehouse(String path) {
        return warehouses.stream()
                .anyMatch(warehouse -> warehouse.contains(path)
                        || reach == Reach.WHOLE_WAREHOUSE
                                && Warehouse.plain(warehouse.path()).equals(path));
    }

    private void addClaims(SortedSet<String> claims, UnaryOperator<String> withoutLinks) {
        Map<FileLocation, SortedSet<String>> inside = new LinkedHashMap<>();
        for (String path : claims) {
            try {
                FileLocation location = FileLocation.parse(path);
                Optional<LeftAlone> refused = refusedClaim(path, location, withoutLinks);
                refused.ifPresent(leftAlone::add);
                if (refused.isEmpty()) {
                    inside.computeIfAbsent(location, none -> new TreeSet<>()).add(path);
                }
            } catch (IllegalArgumentException e) {
                leftAlone.add(new LeftAlone(path, Cause.UNUSABLE, String.valueOf(e.getMessage())));
            }
        }
        inside.forEach((location, paths) -> outermost
                .computeIfAbsent(outermost(location, inside::containsKey), none -> new TreeSet<>())
                .addAll(paths));
    }

    /** @throws IllegalArgumentException if the path is none that this machine can have */
    private Optional<LeftAlone> refusedClaim(String path, FileLocation location, UnaryOperator<String> withoutLinks) {
        Optional<Warehouse> below = warehouses.stream()
                .filter(warehouse -> warehouse.location().isWithin(location))
                .findFirst();
        if (below.isPresent()) {
            return Optional.of(new LeftAlone(path, Cause.TOO_HIGH, "it holds the whole warehouse " + below.get()));
        }
        Optional<Warehouse> around = warehouses.stream()
                .filter(warehouse -> warehouse.contains(path))
                .findFirst();
        if (around.isEmpty()) {
            return Optional.of(new LeftAlone(path, Cause.OUTSIDE, "it lies in no warehouse"));
        }
        return isLinked(path, around.get(), withoutLinks)
                ? Optional.of(new LeftAlone(path, Cause.LINKED, "a symbolic link leads to it"))
                : Optional.empty();
    }

    private static boolean isLinked(String path, Warehouse around, UnaryOperator<String> withoutLinks) {
        String below = FileLocation.parse(path)
                .value()
                .substring(around.location().value().length());
        FileLocation expected = FileLocation.parse(withoutLinks.apply(around.path()) + below);
        return !FileLocation.parse(withoutLinks.apply(path)).equals(expected);
    }

    private void addUntouchables(Collection<Untouchable> untouchables, UnaryOperator<String> withoutLinks) {
        for (Untouchable folder : untouchables) {
            try {
                untouchable.putIfAbsent(FileLocation.parse(folder.path()), folder.reason());
                untouchable.putIfAbsent(FileLocation.parse(withoutLinks.apply(folder.path())), folder.reason());
            } catch (IllegalArgumentException e) {
                leftAlone.add(new LeftAlone(folder.path(), Cause.UNUSABLE, e.getMessage()));
            }
        }
        List.copyOf(untouchable.keySet())
                .forEach(location -> nearest(location, outermost::containsKey)
                        .ifPresent(folder -> untouchable.putIfAbsent(folder, untouchable.get(location))));
        for (FileLocation folder : outermost.keySet()) {
            nearest(folder, untouchable::containsKey)
                    .ifPresent(around -> untouchable.putIfAbsent(folder, untouchable.get(around)));
        }
        untouchable.forEach(
                (location, reason) -> leftAlone.add(new LeftAlone(location.value(), Cause.UNTOUCHABLE, reason)));
    }

    /** The innermost of a location and those around it that something holds for. */
    private static Optional<FileLocation> nearest(FileLocation location, Predicate<FileLocation> test) {
        return selfAndAncestors(location).filter(test).findFirst();
    }

    private static FileLocation outermost(FileLocation location, Predicate<FileLocation> test) {
        return selfAndAncestors(location)
                .filter(test)
                .reduce((inner, outer) -> outer)
                .orElse(location);
    }

    private static Stream<FileLocation> selfAndAncestors(FileLocation location) {
        return Stream.concat(Stream.of(location.value()), ancestors(location.value()))
                .map(FileLocation::new);
    }

    /** What holds a path or location, the innermost first: the parts of it that end before a slash, and its storage's root. */
    private static Stream<String> ancestors(String path) {
        int authority = path.indexOf("://") < 0 ? 0 : path.indexOf("://") + 3;
        Stream<String> folders = Stream.iterate(
                        path.lastIndexOf('/'), slash -> slash > authority, slash -> path.lastIndexOf('/', slash - 1))
                .map(slash -> path.substring(0, slash));
        return path.startsWith(LOCAL_ROOT) ? Stream.concat(folders, Stream.of(LOCAL_ROOT)) : folders;
    }
}
