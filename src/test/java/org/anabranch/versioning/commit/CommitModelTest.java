package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Operation;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random commits with expected commits all over the history, against plain maps that are compared whole. */
class CommitModelTest {

    private static final List<ContentKey> KEYS =
            List.of("n", "n.a", "n.b", "n.m", "n.m.a", "o", "o.a", "p", "q", "r").stream()
                    .map(TestCatalog::key)
                    .toList();

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCommitDoesWhatItDoesToMaps(int seed) {
        Random random = new Random(seed);
        TestCatalog catalog = new TestCatalog();
        Map<CommitId, SortedMap<ContentKey, Content>> history = new LinkedHashMap<>();
        history.put(CommitId.NO_ANCESTOR, new TreeMap<>());
        CommitId head = CommitId.NO_ANCESTOR;
        int committed = 0;
        for (int i = 0; i < 60; i++) {
            List<CommitId> line = new ArrayList<>(history.keySet());
            CommitId expected = line.get(line.size() - 1 - random.nextInt(Math.min(4, line.size())));
            SortedMap<ContentKey, Content> seen = history.get(expected);
            SortedMap<ContentKey, Content> now = history.get(head);
            List<Operation> operations = operations(random, seen, "state " + i);

            CommitOutcome outcome = catalog.commitAt(MAIN, expected, operations.toArray(Operation[]::new));

            Set<String> namespaces = namespaceConflicts(operations, now);
            Set<String> keys = namespaces.isEmpty() ? keyConflicts(operations, seen, now) : namespaces;
            if (keys.isEmpty()) {
                assertThat(outcome).isInstanceOf(Committed.class);
                SortedMap<ContentKey, Content> after = applied(operations, now, ((Committed) outcome));
                head = ((Committed) outcome).head();
                history.put(head, after);
                committed++;
            } else {
                assertThat(outcome).isInstanceOf(Conflicted.class);
                assertThat(((Conflicted) outcome)
                                .conflicts().stream()
                                        .map(conflict -> conflict.conflictType() + " " + conflict.key())
                                        .toList())
                        .containsExactlyInAnyOrderElementsOf(keys);
            }
            assertThat(catalog.contents(MAIN)).isEqualTo(history.get(head));
        }
        assertThat(committed).isGreaterThan(5);
        history.forEach(
                (id, contents) -> assertThat(id.equals(CommitId.NO_ANCESTOR) ? new TreeMap<>() : catalog.contents(id))
                        .isEqualTo(contents));
    }

    /** Operations that are right by what the caller saw: no 400 comes of them. */
    private static List<Operation> operations(Random random, Map<ContentKey, Content> seen, String state) {
        List<Operation> operations = new ArrayList<>();
        List<ContentKey> keys = new ArrayList<>(KEYS);
        Collections.shuffle(keys, random);
        for (ContentKey key : keys.subList(0, 1 + random.nextInt(4))) {
            Content content = seen.get(key);
            Content fresh = isNamespaceKey(key) && random.nextInt(8) > 0 ? namespace() : table(state);
            switch (random.nextInt(content == null ? 3 : 6)) {
                case 0 -> operations.add(new Operation.Unchanged(key));
                case 1, 2 -> {
                    if (content == null) {
                        operations.add(new Operation.Put(key, fresh));
                    } else {
                        operations.add(new Operation.Delete(key));
                    }
                }
                case 3 -> {
                    operations.add(new Operation.Delete(key));
                    operations.add(new Operation.Put(key, fresh));
                }
                default ->
                    operations.add(new Operation.Put(
                            key,
                            content.type() == ContentType.NAMESPACE
                                    ? content
                                    : table(state).withId(content.id())));
            }
        }
        return operations;
    }

    private static boolean isNamespaceKey(ContentKey key) {
        return Set.of("n", "m", "o").contains(key.name());
    }

    private static Set<String> keyConflicts(
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

    private static Set<String> namespaceConflicts(List<Operation> operations, Map<ContentKey, Content> now) {
        Set<String> conflicts = new LinkedHashSet<>();
        Set<ContentKey> deleted = new TreeSet<>();
        Map<ContentKey, Content> puts = new TreeMap<>();
        Set<ContentKey> fresh = new TreeSet<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Delete) {
                deleted.add(operation.key());
            } else if (operation instanceof Operation.Put put) {
                puts.put(put.key(), put.content());
                if (put.content().id() == null) {
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

    private static SortedMap<ContentKey, Content> applied(
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
}
