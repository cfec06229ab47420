package org.anabranch.versioning.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.index.IndexEditor;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.NodeSink;
import org.anabranch.object.Tree;
import org.anabranch.versioning.check.Finding.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Applies a commit's operations to its first parent's tree once more, and holds what comes out against the stored tree, node by
 * node as far as they are new. What both trees share was verified with the commits before.
 */
final class TreeReplay {

    /** A row that no stored node lies in. */
    private static final long REBUILT = -1;

    private record Rebuilt(Node node, @Nullable NodeAddress replaced) {}

    private final CheckedObjects objects;
    private final IndexEditor editor;
    private final HeaderCheck headers;
    private final Findings findings;

    TreeReplay(CheckedObjects objects, IndexEditor editor, HeaderCheck headers, Findings findings) {
        this.objects = objects;
        this.editor = editor;
        this.headers = headers;
        this.findings = findings;
    }

    /**
     * Verifies the tree of a commit, up to the first fault. Reads and makes as many nodes as the commit did, O(m log n) for m
     * operations.
     *
     * @param operations per key the entry of the stored tree; empty for a deleted key
     */
    void verify(Commit commit, Commit parent, SortedMap<IndexKey, Optional<IndexEntry>> operations, Subject subject) {
        List<Rebuilt> rebuilt = new ArrayList<>();
        NodeSink sink = (node, replaced) -> {
            rebuilt.add(new Rebuilt(node, replaced));
            return new NodeAddress(REBUILT, rebuilt.size() - 1);
        };
        Tree expected = editor.apply(parent.tree(), operations, sink);
        Tree actual = commit.tree();
        if (expected.count() != actual.count()) {
            findings.add(Kind.TREE_COUNT, subject, null, expected.count() + " keys", actual.count() + " keys");
        } else if (expected.level() != actual.level()) {
            findings.add(
                    Kind.TREE_SHAPE, subject, null, "a root of level " + expected.level(), "one of " + actual.level());
        } else if (!expected.isEmpty()
                && new Comparison(commit, rebuilt, subject).isSame(expected.root(), actual.root())
                && !expected.sum().equals(actual.sum())) {
            findings.add(Kind.TREE_SUM, subject, null, expected.sum(), actual.sum());
        }
    }

    /** Of the tree that was made anew and the one that is stored, from their roots down. */
    private final class Comparison {

        private final Commit commit;
        private final List<Rebuilt> rebuilt;
        private final Subject subject;

        private Comparison(Commit commit, List<Rebuilt> rebuilt, Subject subject) {
            this.commit = commit;
            this.rebuilt = rebuilt;
            this.subject = subject;
        }

        private boolean isSame(NodeAddress expected, NodeAddress actual) {
            if (expected.equals(actual)) {
                return true;
            }
            if (actual.commitNumber() != commit.number()) {
                findings.add(
                        Kind.FOREIGN_ROW,
                        subject,
                        null,
                        expected.commitNumber() == REBUILT ? "a node of its own" : expected,
                        actual);
                return false;
            }
            NodeAddress replaced = expected;
            Node one;
            if (expected.commitNumber() == REBUILT) {
                one = rebuilt.get(expected.ordinal()).node();
                replaced = rebuilt.get(expected.ordinal()).replaced();
            } else {
                one = objects.node(expected);
            }
            return isOfLine(actual, replaced) && isSame(one, objects.node(actual));
        }

        /** Whether the node that another one is stored as edits of lies in a row of the commit's line. */
        private boolean isOfLine(NodeAddress node, @Nullable NodeAddress replaced) {
            NodeAddress whole = objects.wholeNodeBehind(node);
            boolean isOfLine = whole.commitNumber() == commit.number()
                    || replaced != null && (whole.equals(replaced) || whole.equals(objects.wholeNodeBehind(replaced)))
                    || headers.graph().isOnLine(objects.commit(whole.commitNumber()), objects.commit(commit.number()));
            if (!isOfLine) {
                findings.add(Kind.FOREIGN_ROW, subject, null, "a node as edits of one of the commit's line", whole);
            }
            return isOfLine;
        }

        private boolean isSame(Node expected, Node actual) {
            if (expected instanceof Node.Leaf(var entries) && actual instanceof Node.Leaf(var stored)) {
                return haveSameKeys(
                                expected,
                                entries.stream().map(IndexEntry::key).toList(),
                                stored.stream().map(IndexEntry::key).toList())
                        && areSame(entries, stored);
            }
            if (expected instanceof Node.Inner(var level, var children)
                    && actual instanceof Node.Inner(var storedLevel, var stored)
                    && level == storedLevel) {
                if (!haveSameKeys(
                        expected,
                        children.stream().map(Node.Child::boundary).toList(),
                        stored.stream().map(Node.Child::boundary).toList())) {
                    return false;
                }
                boolean isSame = true;
                for (int i = 0; isSame && i < children.size(); i++) {
                    isSame = isSame(children.get(i), stored.get(i));
                }
                return isSame;
            }
            findings.add(
                    Kind.TREE_SHAPE,
                    subject,
                    expected.lastKey(),
                    "a node of level " + expected.level(),
                    "one of level " + actual.level());
            return false;
        }

        private boolean haveSameKeys(Node expected, List<IndexKey> keys, List<IndexKey> stored) {
            if (keys.equals(stored)) {
                return true;
            }
            findings.add(
                    Kind.TREE_SHAPE,
                    subject,
                    expected.lastKey(),
                    "on level " + expected.level() + ": " + nodeOf(keys),
                    nodeOf(stored));
            return false;
        }

        private static String nodeOf(List<IndexKey> keys) {
            return "a node of " + keys.size() + " items from " + keys.get(0) + " to " + keys.get(keys.size() - 1);
        }

        private boolean areSame(List<IndexEntry> entries, List<IndexEntry> stored) {
            for (int i = 0; i < entries.size(); i++) {
                IndexEntry one = entries.get(i);
                IndexEntry other = stored.get(i);
                if (one.seq() != other.seq()) {
                    findings.add(Kind.ENTRY_SEQ, subject, one.key(), one.seq(), other.seq());
                    return false;
                }
                if (!one.hasSameValueAs(other)) {
                    findings.add(
                            Kind.OPERATIONS,
                            subject,
                            one.key(),
                            "the value before, since no operation names the key: " + one.contentId(),
                            "another one: " + other.contentId());
                    return false;
                }
            }
            return true;
        }

        private boolean isSame(Node.Child expected, Node.Child actual) {
            if (expected.count() != actual.count()) {
                findings.add(
                        Kind.TREE_COUNT,
                        subject,
                        expected.boundary(),
                        expected.count() + " keys below",
                        actual.count() + " keys below");
                return false;
            }
            if (!isSame(expected.address(), actual.address())) {
                return false;
            }
            if (!expected.sum().equals(actual.sum())) {
                findings.add(Kind.TREE_SUM, subject, expected.boundary(), expected.sum(), actual.sum());
                return false;
            }
            return true;
        }
    }
}
