package org.anabranch.gc.expand;

import java.util.List;
import org.anabranch.gc.Progress;
import org.anabranch.gc.TableFiles;
import org.anabranch.gc.TableFiles.Expansion;
import org.anabranch.gc.TableFiles.Metadata;
import org.anabranch.gc.TableFiles.Unreadable.Cause;
import org.anabranch.gc.Workers;
import org.anabranch.gc.state.KnownLocations;
import org.anabranch.gc.state.LiveSet;
import org.anabranch.gc.state.LiveSet.LivePointer;
import org.anabranch.gc.state.Untouchables;

/**
 * Expands the live pointers of the latest run that are not expanded yet, and learns where contents lie or lay.
 *
 * <p>May be ended anywhere and begun again: it goes on with the pointers, and within them with the manifests, that are left.
 */
public final class Expander {

    private static final int POINTERS_AT_ONCE = 200;

    private final TableFiles tables;
    private final LiveSet live;
    private final KnownLocations locations;
    private final Untouchables untouchables;
    private final Workers workers;
    private final Progress progress;

    public Expander(
            TableFiles tables,
            LiveSet live,
            KnownLocations locations,
            Untouchables untouchables,
            Workers workers,
            Progress progress) {
        this.tables = tables;
        this.live = live;
        this.locations = locations;
        this.untouchables = untouchables;
        this.workers = workers;
        this.progress = progress;
    }

    /** Names the files of every live pointer; what could not be read is among the untouchables then. */
    public void expandLive() {
        long inAll = live.unexpandedCount();
        List<LivePointer> pointers = live.unexpanded(POINTERS_AT_ONCE);
        while (!pointers.isEmpty()) {
            workers.forEach(pointers, this::expand);
            progress.made(Progress.Phase.EXPAND, pointers.size(), inAll);
            pointers = live.unexpanded(POINTERS_AT_ONCE);
        }
    }

    /**
     * Looks up where contents lay that no live commit has any more, from their last metadata. Metadata that is gone tells nothing for ever,
     * provided that everything live was there; what else cannot be read is tried again by the next run.
     */
    public void locateDead() {
        // A storage that is not reached, or another one, seems to hold nothing.
        boolean isStorageWhole = untouchables.files().isEmpty();
        List<LivePointer> pointers = locations.unlocated(0, POINTERS_AT_ONCE);
        while (!pointers.isEmpty()) {
            workers.forEach(pointers, pointer -> locate(pointer, isStorageWhole));
            pointers = locations.unlocated(pointers.get(pointers.size() - 1).number(), POINTERS_AT_ONCE);
        }
    }

    private void expand(LivePointer pointer) {
        Expansion expansion = tables.expand(pointer.pointer());
        if (expansion.metadata() == Metadata.READ) {
            locations.add(pointer.number(), expansion.locations());
        }
        untouchables.add(pointer.number(), expansion);
        live.recordExpanded(pointer);
    }

    private void locate(LivePointer pointer, boolean isStorageWhole) {
        Expansion expansion = tables.locate(pointer.pointer());
        if (expansion.metadata() == Metadata.READ) {
            locations.add(pointer.number(), expansion.locations());
        } else if (isStorageWhole && expansion.unreadable().get(0).cause() == Cause.MISSING) {
            locations.add(pointer.number(), List.of());
        }
    }
}
