package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.namespace;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Operation;
import org.anabranch.testing.MapModel;
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

            Set<String> namespaces = MapModel.namespaceConflicts(operations, now);
            Set<String> keys = namespaces.isEmpty() ? MapModel.keyConflicts(operations, seen, now) : namespaces;
            if (keys.isEmpty()) {
                assertThat(outcome).isInstanceOf(Committed.class);
                SortedMap<ContentKey, Content> after = MapModel.applied(operations, now, ((Committed) outcome));
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
}
