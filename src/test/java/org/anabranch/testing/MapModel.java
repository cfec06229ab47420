package org.anabranch.testing;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Operation;

/** What commits and merges do to plain maps from keys to contents. */
public final class MapModel {

    private MapModel() {}

    public static Set<String> keyConflicts(
            List<Operation> operations, Map<ContentKey, Content> seen, Map<ContentKey, Content> now) {
        Set<String> conflicts = new LinkedHashSet<>();
        Set<ContentKey> deleted = new TreeSet<>();
        for (Operation operation : operations) {
            ContentKey key = operation.key();
            Content before = seen.get(key);
            Content after = now.get(key);
            if (operation instanceof Operation.Delete) {
                deleted.add(key);
            } else if (deleted.contains(key)) {
                continue;
            }
            if (Objects.equals(before, after)) {
                continue;
            }
            if (before == null) {
                conflicts.add((operation instanceof Operation.Put ? "KEY_EXISTS " : "PAYLOAD_DIFFERS ") + key);
            } else if (after == null) {
                conflicts.add("KEY_DOES_NOT_EXIST " + key);
            } else if (before.type() != after.type()) {
                conflicts.add("PAYLOAD_DIFFERS " + key);
            } else if (!before.id().equals(after.id())) {
                conflicts.add("CONTENT_ID_DIFFERS " + key);
            } else {
                conflicts.add("VALUE_DIFFERS " + key);
            }
        }
        return conflicts;
    }

    public static Set<String> namespaceConflicts(List<Operation> operations, Map<ContentKey, Content> now) {
        Set<String> conflicts = new LinkedHashSet<>();
        Set<ContentKey> deleted = new TreeSet<>();
        Map<ContentKey, Content> puts = new TreeMap<>();
        Set<ContentKey> fresh = new TreeSet<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Delete) {
                deleted.add(operation.key());
            } else if (operation instanceof Operation.Put put) {
                puts.put(put.key(), put.content());
                if (put.content().id() == null || isRename(put, operations, now)) {
                    fresh.add(put.key());
                }
            }
        }
        for (ContentKey key : fresh) {
            for (var up = key.parent(); up.isPresent(); up = up.get().parent()) {
                ContentKey parent = up.get();
                Content put = puts.get(parent);
                boolean gone = deleted.contains(parent) || !now.containsKey(parent);
                Content there = put != null ? put : gone ? null : now.get(parent);
                if (there != null && there.type() == ContentType.NAMESPACE) {
                    break;
                }
                if (there == null || fresh.contains(parent)) {
                    conflicts.add("NAMESPACE_ABSENT " + parent);
                } else {
                    conflicts.add("NOT_A_NAMESPACE " + parent);
                    break;
                }
            }
        }
        for (ContentKey key : deleted) {
            Content content = now.get(key);
            if (content != null
                    && content.type() == ContentType.NAMESPACE
                    && now.keySet().stream()
                            .anyMatch(one -> one.startsWith(key) && !one.equals(key) && !deleted.contains(one))) {
                conflicts.add("NAMESPACE_NOT_EMPTY " + key);
            }
        }
        return conflicts;
    }

    public static SortedMap<ContentKey, Content> applied(
            List<Operation> operations, SortedMap<ContentKey, Content> now, Committed outcome) {
        SortedMap<ContentKey, Content> after = new TreeMap<>(now);
        operations.forEach(operation -> {
            if (operation instanceof Operation.Delete) {
                after.remove(operation.key());
            }
        });
        operations.forEach(operation -> {
            if (operation instanceof Operation.Put(var key, var content)) {
                after.put(
                        key,
                        content.id() == null ? content.withId(outcome.newIds().get(key)) : content);
            }
        });
        return after;
    }

    /** Keys changed differently on both sides, and keys that are alike but whose content went different ways. */
    public static SortedSet<ContentKey> mergeConflicts(
            Map<ContentKey, Content> b, Map<ContentKey, Content> s, Map<ContentKey, Content> t) {
        SortedSet<ContentKey> conflicts = new TreeSet<>();
        for (ContentKey key : union(b, s)) {
            Content base = b.get(key);
            Content ours = s.get(key);
            Content theirs = t.get(key);
            if (Objects.equals(base, ours) || Objects.equals(base, theirs)) {
                continue;
            }
            if (!Objects.equals(ours, theirs)) {
                if (base != null || !isNamespace(ours) || !isNamespace(theirs)) {
                    conflicts.add(key);
                }
            } else if (base != null && !Objects.equals(home(s, base.id()), home(t, base.id()))) {
                conflicts.add(key);
            }
        }
        return conflicts;
    }

    public static SortedMap<ContentKey, Content> merged(
            Map<ContentKey, Content> b, Map<ContentKey, Content> s, Map<ContentKey, Content> t) {
        SortedMap<ContentKey, Content> merged = new TreeMap<>(t);
        for (ContentKey key : union(b, s)) {
            if (Objects.equals(b.get(key), t.get(key)) && !Objects.equals(b.get(key), s.get(key))) {
                if (s.containsKey(key)) {
                    merged.put(key, s.get(key));
                } else {
                    merged.remove(key);
                }
            }
        }
        return merged;
    }

    private static Optional<ContentKey> home(Map<ContentKey, Content> state, ContentId id) {
        return state.entrySet().stream()
                .filter(entry -> id.equals(entry.getValue().id()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean isNamespace(Content content) {
        return content != null && content.type() == ContentType.NAMESPACE;
    }

    public static boolean hasOrphans(Map<ContentKey, Content> state) {
        return state.keySet().stream()
                .anyMatch(key -> key.parent().isPresent()
                        && !isNamespace(state.get(key.parent().get())));
    }

    /** Whether a put takes up the content of a key that goes with it. */
    private static boolean isRename(Operation.Put put, List<Operation> operations, Map<ContentKey, Content> now) {
        return home(now, put.content().id())
                .filter(from -> !from.equals(put.key()) && operations.contains(new Operation.Delete(from)))
                .isPresent();
    }

    /** What a forced merge makes: the source's state of every key that it changed. */
    public static SortedMap<ContentKey, Content> forced(
            Map<ContentKey, Content> b, Map<ContentKey, Content> s, Map<ContentKey, Content> t) {
        SortedMap<ContentKey, Content> forced = new TreeMap<>(t);
        for (ContentKey key : union(b, s)) {
            if (!Objects.equals(b.get(key), s.get(key))) {
                if (s.containsKey(key)) {
                    forced.put(key, s.get(key));
                } else {
                    forced.remove(key);
                }
            }
        }
        return forced;
    }

    /** Whether a content id stands under two keys. */
    public static boolean hasTwins(Map<ContentKey, Content> state) {
        return state.values().stream().map(Content::id).distinct().count() < state.size();
    }

    private static SortedSet<ContentKey> union(Map<ContentKey, Content> one, Map<ContentKey, Content> other) {
        SortedSet<ContentKey> keys = new TreeSet<>(one.keySet());
        keys.addAll(other.keySet());
        return keys;
    }
}
