package org.anabranch.filter;

import java.util.List;
import java.util.function.Supplier;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;

/**
 * A commit of a history as filters see it.
 *
 * @param operations asked for only by filters that name them; empty where they are not shown
 */
public record HistoryView(CommitHeader commit, Supplier<List<Operation>> operations) {

    /** An operation, without the content that a put brought. */
    public sealed interface Operation {

        ContentKey key();

        record Put(ContentKey key, ContentType type, ContentId contentId) implements Operation {}

        record Delete(ContentKey key) implements Operation {}
    }
}
