package org.anabranch.versioning.commit;

import java.util.List;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants of a branch, key by key, beside what its caller saw there. Whether the two fit together is for {@link
 * ChangePlanner#plan}, so that it can be asked before whether the caller may do this at all.
 *
 * @param expected the commit that the caller saw
 * @param keys one for each key that the request names, in the order of the request
 */
public record Intent(Commit expected, List<OfKey> keys) {

    public Intent {
        keys = List.copyOf(keys);
    }

    /**
     * What a request wants of one key. Of one that is neither deleted nor put, that nobody changes it.
     *
     * @param deletes whether what the key holds shall end
     * @param put what the key shall hold; null if nothing is put
     * @param believed the entry at the expected commit; null if the key is absent there
     */
    public record OfKey(
            ContentKey key,
            boolean deletes,
            @Nullable Content put,
            @Nullable IndexEntry believed) {}
}
