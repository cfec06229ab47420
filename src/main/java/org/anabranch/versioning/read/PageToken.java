package org.anabranch.versioning.read;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedSet;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeySelection;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.RefusedException;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a listing of keys goes on. Holds all state of the listing, so that it survives restarts and later commits.
 *
 * <p>As text: base64url without padding of a version byte, the byte of the listing, 8 bytes of a SHA-256 of the parameters, 32
 * bytes per commit, and the elements of the next key as UTF-16 with a zero unit between them. Clients must not read it.
 *
 * @param parameters stands for all parameters that must stay the same from page to page
 * @param commits that the first page showed; of a history the commit that the next page begins with
 * @param next the first key of the next page, inclusive; of a history the key as it was called there
 */
record PageToken(Listing listing, long parameters, List<CommitId> commits, ContentKey next) {

    /** What is listed; the number of commits follows from it. */
    enum Listing {
        ENTRIES(1),
        DIFF(2),
        CHILDREN(1),
        KEY_HISTORY(1);

        private final int commits;

        Listing(int commits) {
            this.commits = commits;
        }
    }

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 2 + Long.BYTES;

    PageToken {
        commits = List.copyOf(commits);
    }

    String encode() {
        String elements = String.join("\0", next.elements());
        ByteBuffer bytes = ByteBuffer.allocate(
                FIXED_BYTES + commits.size() * CommitId.BYTES + elements.length() * Character.BYTES);
        bytes.put(VERSION).put((byte) listing.ordinal()).putLong(parameters);
        commits.forEach(commit -> bytes.put(commit.toBytes()));
        bytes.asCharBuffer().put(elements);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /**
     * Reads a token that a client sent back.
     *
     * @param parameters of the request that it came with
     * @throws RefusedException 400 if it is none, or comes from a request with other parameters
     */
    static PageToken decode(String text, Listing listing, long parameters) {
        PageToken token;
        try {
            token = decode(text);
        } catch (RuntimeException e) {
            throw refused(text, "it is not a token of this service: send the token of the page before, as it is");
        }
        if (token.listing != listing || token.parameters != parameters) {
            throw refused(
                    text,
                    "it belongs to a listing with another reference, filter, key or content parameter:"
                            + " send it with the parameters of the first page");
        }
        return token;
    }

    private static PageToken decode(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        if (bytes.get() != VERSION) {
            throw new IllegalArgumentException("Unknown version of a page token");
        }
        Listing listing = Listing.values()[bytes.get()];
        long parameters = bytes.getLong();
        List<CommitId> commits = new ArrayList<>();
        for (int i = 0; i < listing.commits; i++) {
            byte[] id = new byte[CommitId.BYTES];
            bytes.get(id);
            commits.add(CommitId.of(id));
        }
        if (bytes.remaining() % Character.BYTES != 0) {
            throw new IllegalArgumentException("Half a character at the end of a page token");
        }
        String elements = bytes.asCharBuffer().toString();
        return new PageToken(listing, parameters, commits, new ContentKey(List.of(elements.split("\0", -1))));
    }

    private static RefusedException refused(String text, String why) {
        return RefusedException.badRequest("page-token '" + text + "' is not valid: " + why);
    }

    /** Digests the parameters of a listing, each with its length, so that no two lists of parameters look the same. */
    static final class Parameters {

        private final Hasher hasher = Hashing.sha256().newHasher();

        /** A reference as it was asked for, {@code -} and the name it stands for being the same. */
        Parameters with(ResolvedReference resolved, RefSpec asked) {
            return with(resolved.effective() instanceof Reference.Named(var kind, var name, var hash)
                            ? kind + " " + name
                            : null)
                    .with(asked.commit().hash())
                    .with(asked.commit().steps().toString());
        }

        Parameters with(KeySelection keys) {
            SortedSet<ContentKey> alone = keys.keys();
            hasher.putInt(alone == null ? -1 : alone.size());
            if (alone != null) {
                alone.forEach(this::with);
            }
            return with(keys.min()).with(keys.max()).with(keys.prefix());
        }

        Parameters with(@Nullable ContentKey key) {
            return with(key == null ? null : String.join("\0", key.elements()));
        }

        Parameters with(@Nullable String text) {
            hasher.putInt(text == null ? -1 : text.length());
            hasher.putUnencodedChars(text == null ? "" : text);
            return this;
        }

        long digest() {
            return hasher.hash().asLong();
        }
    }
}
