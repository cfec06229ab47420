package org.anabranch.versioning.transfer.peer;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Tree;
import org.anabranch.versioning.transfer.StoreLoader;
import org.anabranch.versioning.transfer.peer.PeerCommit.PeerContent;
import org.anabranch.versioning.transfer.peer.PeerServer.PeerReference;

/** Holds states of references here against those there, key by key. For one thread. */
final class PeerComparison {

    private static final int KEYS_AT_ONCE = 500;

    private final PeerServer server;
    private final StoreLoader loader;
    private final ContentIds contentIds;
    private long states;
    private long keys;

    PeerComparison(PeerServer server, StoreLoader loader, ContentIds contentIds) {
        this.server = server;
        this.loader = loader;
        this.contentIds = contentIds;
    }

    /** How many states were compared. */
    long states() {
        return states;
    }

    /** How many keys were compared. */
    long keys() {
        return keys;
    }

    /**
     * Compares the state of a reference.
     *
     * @param ordinal of the commit here
     * @throws PeerException at the first key that differs
     */
    void compare(PeerReference reference, int ordinal) {
        Tree tree = loader.tree(ordinal);
        Map<ContentKey, PeerContent> batch = new HashMap<>();
        long[] there = {0};
        server.entries(reference.hash(), (key, content) -> {
            there[0]++;
            batch.put(key, content);
            if (batch.size() == KEYS_AT_ONCE) {
                compare(reference, tree, batch);
            }
        });
        compare(reference, tree, batch);
        if (there[0] != tree.count()) {
            throw differs(reference, there[0] + " keys there, and " + tree.count() + " here");
        }
        states++;
        keys += there[0];
    }

    private void compare(PeerReference reference, Tree tree, Map<ContentKey, PeerContent> batch) {
        Map<ContentKey, Content> here = loader.contents(tree, batch.keySet());
        batch.forEach((key, there) -> {
            Content content = here.get(key);
            if (content == null) {
                throw differs(reference, "key " + key + " is not here");
            }
            boolean isSame = content.equals(there.content().withId(content.id()))
                    && (Objects.requireNonNull(content.id()).toString().equals(there.id())
                            || contentIds.isMade(content.id()));
            if (!isSame) {
                throw differs(reference, "key " + key + " has " + there + " there, and " + content + " here");
            }
        });
        batch.clear();
    }

    private static PeerException differs(PeerReference reference, String how) {
        return new PeerException(
                reference.kind() + " '" + reference.name() + "' is not what it is there, at commit " + reference.hash()
                        + ": " + how + ". Nothing was made visible",
                null);
    }
}
