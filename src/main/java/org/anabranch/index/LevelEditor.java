package org.anabranch.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.index.TreeWalk.Place;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.NodeSink;
import org.jspecify.annotations.Nullable;

/**
 * Edits one level of a tree: takes edits of the level's items, makes the nodes anew that change, and hands on what that
 * means for the items of the level above.
 *
 * <h2>How it works</h2>
 *
 * The result must be what {@link BoundaryRule#ends} says about the whole level, but only nodes near an edit may be read. Three
 * facts make that possible. With {@code w} the number of neighbours:
 *
 * <ul>
 *   <li><b>Locality.</b> Whether an item is a natural boundary follows from the {@code w} items on either side. It can change
 *       only if an item was added or removed within {@code w} items. An item that gets another value changes nothing.
 *   <li><b>Shelter.</b> No item within {@code w} of a natural boundary is one: the boundary's hash is smaller. So while a
 *       boundary stays natural, nothing that happens on one side of it within {@code w} items is felt on its other side.
 *   <li><b>Counting from the last end.</b> A forced cut follows from the place of the last end alone, be that natural or
 *       forced. So where a new node ends at an old end, and later natural boundaries are the old ones, all that follows is as
 *       it was.
 * </ul>
 *
 * The level is worked through from left to right in regions. A region is a row of neighbouring old nodes, turned into
 * slots: old items with the edits merged in. Old nodes are appended to it only when the algorithm looks at them.
 *
 * <ol>
 *   <li><b>Begin</b> a region at the old node that holds the next edit's key.
 *   <li><b>Extend</b> it to the left while the end of the node before it may change: an item was added or removed within
 *       {@code w} items of that end, and the end was forced, or is no longer smaller than the {@code w} items after it.
 *   <li><b>Cut</b>: go through the slots and end a node at each natural boundary, and at {@link BoundaryRule#maxItems}. An old
 *       item far from added and removed ones is what it was. That an old end was natural is known without a look at its
 *       neighbours, because a forced cut leaves exactly {@code maxItems} items; then only the sides that changed are compared.
 *       Therefore an edit reads no neighbour unless a boundary moves.
 *   <li><b>Stop</b> when a new end is an old end and nothing to its right is felt: it is natural as before, or there is no
 *       added or removed item within {@code w} items on either side. Go on with 1 if there are edits left.
 * </ol>
 *
 * A region never reaches into the one before it: the condition to stop in 4 is the negation of the one to extend in 2.
 */
final class LevelEditor<T> {

    /** An item in the new order of the level. */
    private final class Slot {
        private final IndexKey key;
        private final @Nullable T item;
        private final Place place;
        private final boolean old;
        private final boolean changed;
        /** Whether it is the last item of its old node. */
        private boolean endsPlace;

        private long hash;
        private boolean hashed;

        /**
         * @param item null outside of the region, where the key alone counts
         * @param place the old node that holds or would hold it
         * @param old whether its key was in the old node
         * @param changed whether the item is another than the old one under the same key
         */
        private Slot(IndexKey key, @Nullable T item, Place place, boolean old, boolean changed) {
            this.key = key;
            this.item = item;
            this.place = place;
            this.old = old;
            this.changed = changed;
        }

        private long hash() {
            if (!hashed) {
                hash = rule.hash(items.level(), key);
                hashed = true;
            }
            return hash;
        }

        /** Whether its hash is; no item is smaller than what lies past the ends of the level, which is null. */
        private boolean isSmallerThan(@Nullable Slot other) {
            return other != null && Long.compareUnsigned(hash(), other.hash()) < 0;
        }
    }

    /** Whether an old item was a natural boundary, as far as that is known without a look at its neighbours. */
    private enum WasNatural {
        YES,
        NO,
        UNKNOWN
    }

    private final Items<T> items;
    private final BoundaryRule rule;
    private final int neighbours;
    private final int maxItems;
    private final TreeWalk tree;
    private final NodeSink sink;
    private final Deque<Map.Entry<IndexKey, Optional<T>>> edits;
    private final NavigableSet<IndexKey> orderEdits;
    private final SortedMap<IndexKey, Optional<Node.Child>> parentEdits = new TreeMap<>();
    private final NavigableSet<IndexKey> parentOrderEdits = new TreeSet<>();

    private @Nullable T onlyItem;

    // The region.
    private List<Slot> slots = new ArrayList<>();
    /** Where the order changed, rising: the index of an added slot, or of the slot after removed ones. */
    private List<Integer> changes = new ArrayList<>();
    /** The items before the region as far as they were looked at, from right to left. */
    private final List<Slot> before = new ArrayList<>();

    private Place firstPlace;
    private Place lastPlace;
    private Place beforePlace;
    private boolean beforeRead;
    private @Nullable IndexKey lastRegionEnd;

    /**
     * @param edits per key the new item, or empty to remove the key; not empty
     * @param orderEdits the keys among them that may be added or removed; the others get another value only
     */
    LevelEditor(
            Items<T> items,
            BoundaryRule rule,
            TreeWalk tree,
            SortedMap<IndexKey, Optional<T>> edits,
            NavigableSet<IndexKey> orderEdits,
            NodeSink sink) {
        this.items = items;
        this.rule = rule;
        this.neighbours = rule.neighbours(items.level());
        this.maxItems = rule.maxItems(items.level());
        this.tree = tree;
        this.sink = sink;
        this.edits = new ArrayDeque<>(edits.entrySet());
        this.orderEdits = orderEdits;
        this.firstPlace = tree.find(items.level(), edits.firstKey());
        this.lastPlace = firstPlace;
        this.beforePlace = firstPlace;
    }

    /** Edits the level and returns the edits of the level above; empty if nothing changed. */
    SortedMap<IndexKey, Optional<Node.Child>> run() {
        while (!edits.isEmpty()) {
            begin();
            extend();
            cut();
            lastRegionEnd = lastPlace.child().boundary();
        }
        return parentEdits;
    }

    /** The keys of the edits of the level above that are added there or removed. */
    NavigableSet<IndexKey> parentOrderEdits() {
        return parentOrderEdits;
    }

    /** The item that is left alone on a level above the leaves: the new root. Else null, and all nodes are made. */
    @Nullable
    T onlyItem() {
        return onlyItem;
    }

    /** Step 1. */
    private void begin() {
        slots = new ArrayList<>();
        changes = new ArrayList<>();
        firstPlace = tree.find(items.level(), edits.element().getKey());
        forgetBefore();
        append(firstPlace);
    }

    /** Step 2. */
    private void extend() {
        while (isChangedAfter(-1)) {
            Place previous = tree.previous(firstPlace);
            if (previous == null || staysNatural(previous)) {
                return;
            }
            if (lastRegionEnd != null && previous.child().boundary().compareTo(lastRegionEnd) <= 0) {
                throw new IllegalStateException("A region reaches into the one before it");
            }
            List<T> old = items.of(tree.node(previous));
            List<Slot> extended = new ArrayList<>(old.size() + slots.size());
            old.forEach(item -> extended.add(new Slot(items.key(item), item, previous, true, false)));
            extended.get(old.size() - 1).endsPlace = true;
            extended.addAll(slots);
            slots = extended;
            changes.replaceAll(at -> at + old.size());
            replace(previous);
            firstPlace = previous;
            forgetBefore();
        }
    }

    private boolean staysNatural(Place previous) {
        if (endWasNatural(previous) != WasNatural.YES) {
            return false;
        }
        Slot end = itemBefore(1);
        for (int d = 1; d <= neighbours; d++) {
            if (end == null || !end.isSmallerThan(slot(d - 1))) {
                return false;
            }
        }
        return true;
    }

    /** Step 3. */
    private void cut() {
        int start = 0;
        for (int i = 0; slot(i) != null; i++) {
            boolean natural = isNatural(i);
            if (natural || i - start + 1 == maxItems) {
                end(start, i);
                start = i + 1;
                if (isFeltByNobodyAfter(i, natural)) {
                    return;
                }
            }
        }
        if (start < slots.size()) {
            end(start, slots.size() - 1);
        }
    }

    /** Step 4. */
    private boolean isFeltByNobodyAfter(int i, boolean natural) {
        Slot slot = slots.get(i);
        boolean removedBehind = !changes.isEmpty() && changes.get(changes.size() - 1) > i;
        if (i < slots.size() - 1 || !slot.endsPlace || removedBehind) {
            return false;
        }
        return natural && endWasNatural(slot.place) == WasNatural.YES || !isChangedBefore(i + 1) && !isChangedAfter(i);
    }

    private boolean isNatural(int i) {
        Slot slot = slots.get(i);
        WasNatural was = slot.endsPlace ? endWasNatural(slot.place) : WasNatural.NO;
        boolean changedBefore = isChangedBefore(i);
        boolean changedAfter = isChangedAfter(i);
        if (!slot.old) {
            was = WasNatural.UNKNOWN;
        } else if (!changedBefore && !changedAfter && was != WasNatural.UNKNOWN) {
            return was == WasNatural.YES;
        }
        boolean lookBefore = changedBefore || was != WasNatural.YES;
        boolean lookAfter = changedAfter || was != WasNatural.YES;
        // What is in hand decides most items, and costs no read.
        for (int d = 1; d <= neighbours; d++) {
            Slot left = lookBefore ? slotInHand(i - d) : null;
            Slot right = lookAfter ? slotInHand(i + d) : null;
            if (left != null && !slot.isSmallerThan(left) || right != null && !slot.isSmallerThan(right)) {
                return false;
            }
        }
        for (int d = 1; d <= neighbours; d++) {
            if (lookBefore && !slot.isSmallerThan(slot(i - d)) || lookAfter && !slot.isSmallerThan(slot(i + d))) {
                return false;
            }
        }
        return true;
    }

    /** Of the end of an old node: that of a full one may have been forced. */
    private WasNatural endWasNatural(Place place) {
        if (tree.isLast(place)) {
            return WasNatural.NO;
        }
        return size(place) < maxItems ? WasNatural.YES : WasNatural.UNKNOWN;
    }

    /** How many items an old node has. Their parents know it of leaves. */
    private int size(Place place) {
        return items.level() == 0
                ? (int) place.child().count()
                : items.of(tree.node(place)).size();
    }

    /** Whether the order changed at a slot or within {@code w} slots before it. May say yes for one slot more. */
    private boolean isChangedBefore(int i) {
        int later = changesUpTo(i);
        return later > 0 && i - changes.get(later - 1) <= neighbours;
    }

    /** Whether the order changed within {@code w} slots after a slot. Appends nodes only where that may be so. */
    private boolean isChangedAfter(int i) {
        while (true) {
            int later = changesUpTo(i);
            if (later < changes.size() && changes.get(later) - i <= neighbours) {
                return true;
            }
            if (!mayChangeBehindRegion(neighbours - (slots.size() - 1 - i))) {
                return false;
            }
            append(orThrow(tree.next(lastPlace)));
        }
    }

    /** Whether the order may change within so many items behind the region. */
    private boolean mayChangeBehindRegion(int distance) {
        if (distance <= 0) {
            return false;
        }
        IndexKey change = orderEdits.higher(lastPlace.child().boundary());
        int passed = 0;
        Place place = lastPlace;
        while (change != null && passed < distance && !tree.isLast(place)) {
            place = orThrow(tree.next(place));
            if (change.compareTo(place.child().boundary()) <= 0 || tree.isLast(place)) {
                return true;
            }
            passed += size(place);
        }
        return false;
    }

    /** How many changes lie at a slot or before it. */
    private int changesUpTo(int i) {
        int low = 0;
        int high = changes.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (changes.get(middle) <= i) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The slot at an index, negative ones being before the region; null past the ends of the level. */
    private @Nullable Slot slot(int i) {
        if (i < 0) {
            return itemBefore(-i);
        }
        while (i >= slots.size()) {
            Place next = tree.next(lastPlace);
            if (next == null) {
                return null;
            }
            append(next);
        }
        return slots.get(i);
    }

    /** The slot at an index if no leaf needs to be read for it. */
    private @Nullable Slot slotInHand(int i) {
        if (i >= 0) {
            return i < slots.size() ? slots.get(i) : null;
        }
        return i == -1 || -i <= before.size() ? itemBefore(-i) : null;
    }

    private @Nullable Slot itemBefore(int distance) {
        while (before.size() < distance) {
            if (!before.isEmpty() && !beforeRead) {
                List<T> old = items.of(tree.node(beforePlace));
                for (int i = old.size() - 2; i >= 0; i--) {
                    before.add(new Slot(items.key(old.get(i)), null, beforePlace, true, false));
                }
                beforeRead = true;
            } else {
                Place previous = tree.previous(beforePlace);
                if (previous == null) {
                    return null;
                }
                beforePlace = previous;
                beforeRead = false;
                before.add(new Slot(previous.child().boundary(), null, previous, true, false));
            }
        }
        return before.get(distance - 1);
    }

    private void forgetBefore() {
        before.clear();
        beforePlace = firstPlace;
        beforeRead = false;
    }

    /** Appends an old node's items with its edits merged in. */
    private void append(Place place) {
        boolean takesAll = tree.isLast(place);
        IndexKey boundary = place.child().boundary();
        lastPlace = place;
        replace(place);
        for (T old : items.of(tree.node(place))) {
            IndexKey key = items.key(old);
            addBelow(key, place);
            if (edits.isEmpty() || !edits.element().getKey().equals(key)) {
                slots.add(new Slot(key, old, place, true, false));
                continue;
            }
            T edited = edits.remove().getValue().orElse(null);
            if (edited == null) {
                changes.add(slots.size());
            } else {
                slots.add(new Slot(key, edited, place, true, !items.same(old, edited)));
            }
        }
        if (!slots.isEmpty()) {
            Slot last = slots.get(slots.size() - 1);
            last.endsPlace = last.old && last.key.equals(boundary);
        }
        if (takesAll) {
            addBelow(null, place);
        }
    }

    /** Removes an old node from the level above, until one with its boundary is made or kept. */
    private void replace(Place place) {
        parentEdits.put(place.child().boundary(), Optional.empty());
        parentOrderEdits.add(place.child().boundary());
    }

    /** Adds the items that the edits put below a key; all that are left for null. */
    private void addBelow(@Nullable IndexKey key, Place place) {
        while (!edits.isEmpty() && (key == null || edits.element().getKey().compareTo(key) < 0)) {
            Map.Entry<IndexKey, Optional<T>> edit = edits.remove();
            edit.getValue().ifPresent(item -> {
                changes.add(slots.size());
                slots.add(new Slot(edit.getKey(), item, place, false, true));
            });
        }
    }

    /** Makes a node of slots, unless it is an old node or needs no node. */
    private void end(int from, int to) {
        Slot last = slots.get(to);
        List<T> nodeItems = new ArrayList<>(to - from + 1);
        boolean unchanged = last.endsPlace;
        for (Slot slot : slots.subList(from, to + 1)) {
            nodeItems.add(slot.item);
            unchanged &= slot.old && !slot.changed && slot.place == last.place;
        }
        if (from == 0 && to == 0 && items.level() > 0 && tree.previous(firstPlace) == null && slot(1) == null) {
            onlyItem = last.item;
            return;
        }
        if (unchanged && nodeItems.size() == items.of(tree.node(last.place)).size()) {
            parentEdits.remove(last.key);
            parentOrderEdits.remove(last.key);
            return;
        }
        Node node = items.node(nodeItems);
        NodeAddress address = sink.add(node, replaced(from, to));
        Node.Child child = items.child(node, nodeItems, address);
        boolean hadBoundary = parentEdits.put(child.boundary(), Optional.of(child)) != null;
        if (hadBoundary) {
            parentOrderEdits.remove(child.boundary());
        } else {
            parentOrderEdits.add(child.boundary());
        }
    }

    /** The old node that most items of a new one come from; null if they are all new. */
    private @Nullable NodeAddress replaced(int from, int to) {
        Map<NodeAddress, Integer> counts = new HashMap<>();
        NodeAddress most = null;
        for (Slot slot : slots.subList(from, to + 1)) {
            if (slot.old) {
                NodeAddress address = slot.place.child().address();
                int count = counts.merge(address, 1, Integer::sum);
                if (most == null || count > counts.get(most)) {
                    most = address;
                }
            }
        }
        return most;
    }

    private static Place orThrow(@Nullable Place place) {
        if (place == null) {
            throw new IllegalStateException("The level ends too early");
        }
        return place;
    }
}
