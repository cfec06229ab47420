package org.anabranch.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.Operation;

/**
 * Random commits that create, update, replace, delete and rename a few {@link #KEYS}, namespaces among them, between other keys
 * that hardly change. Some keys sort before and some behind all others.
 */
public final class RandomHistory {

    /** The keys that change. Those named n and m are namespaces. */
    public static final List<ContentKey> KEYS =
            List.of("A", "b", "f12a", "f12b", "f77x", "n", "n.a", "n.b", "n.m", "n.m.a", "z").stream()
                    .map(TestCatalog::key)
                    .toList();

    private final TestCatalog catalog;
    private final Random random;

    public RandomHistory(TestCatalog catalog, Random random) {
        this.catalog = catalog;
        this.random = random;
    }

    /** Adds keys that sort between the others. */
    public void fill(String branch, int keys) {
        if (keys > 0) {
            catalog.commit(
                    branch,
                    IntStream.range(0, keys)
                            .mapToObj(i -> TestCatalog.put("f" + i, TestCatalog.table("filler " + i)))
                            .toArray(Operation[]::new));
        }
    }

    /** Commits to a branch, and merges another one into it now and then. */
    public void grow(String branch, String merged, int commits) {
        for (int i = 0; i < commits; ) {
            if (random.nextInt(6) == 0) {
                change(merged);
                i += catalog.merge(merged, branch, MergeMode.FORCE, false) instanceof Merged ? 1 : 0;
            } else {
                change(branch);
                i++;
            }
        }
    }

    /** One commit. */
    public CommitId change(String branch) {
        while (true) {
            Operation[] operations = operations(branch);
            if (catalog.commitAt(branch, catalog.head(branch), operations) instanceof Committed committed) {
                return committed.head();
            }
        }
    }

    /** What a commit may consist of, by what the branch holds; it may break the rules of namespaces. */
    public Operation[] operations(String branch) {
        return operations(catalog.contents(branch));
    }

    private Operation[] operations(Map<ContentKey, Content> now) {
        List<Operation> operations = new ArrayList<>();
        Set<ContentKey> used = new TreeSet<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            ContentKey key = KEYS.get(random.nextInt(KEYS.size()));
            ContentKey to = KEYS.get(random.nextInt(KEYS.size()));
            if (!used.add(key)) {
                continue;
            }
            Content content = now.get(key);
            Content fresh = isNamespace(key) ? TestCatalog.namespace() : table();
            if (content == null) {
                operations.add(new Operation.Put(key, fresh));
                continue;
            }
            switch (random.nextInt(5)) {
                case 0 -> operations.add(new Operation.Delete(key));
                case 1 -> {
                    operations.add(new Operation.Delete(key));
                    operations.add(new Operation.Put(key, fresh));
                }
                case 2 -> {
                    operations.add(new Operation.Delete(key));
                    if (!now.containsKey(to) && used.add(to)) {
                        operations.add(new Operation.Put(to, content));
                    }
                }
                default ->
                    operations.add(
                            content.type() == ContentType.NAMESPACE
                                    ? new Operation.Delete(key)
                                    : new Operation.Put(key, table().withId(content.id())));
            }
        }
        if (random.nextInt(4) == 0) {
            operations.add(new Operation.Put(
                    TestCatalog.key("f" + random.nextInt(100) + "new" + random.nextInt(1_000_000)), table()));
        }
        return operations.toArray(Operation[]::new);
    }

    private static boolean isNamespace(ContentKey key) {
        return key.name().equals("n") || key.name().equals("m");
    }

    private Content table() {
        return TestCatalog.table("state " + random.nextInt(3));
    }
}
