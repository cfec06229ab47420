package org.anabranch.filter;

import java.util.List;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;

/**
 * A commit of a history as filters see it.
 *
 * @param operations empty where they are not fetched
 */
public record HistoryView(CommitView commit, List<Operation> operations) {

    public HistoryView {
        operations = List.copyOf(operations);
    }

    /** An operation, without the content that a put brought. */
    public sealed interface Operation {

        ContentKey key();

        record Put(ContentKey key, ContentType type, ContentId contentId) implements Operation {}

        record Delete(ContentKey key) implements Operation {}
    }
}
