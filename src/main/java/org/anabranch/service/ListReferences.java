package org.anabranch.service;

import java.util.function.Function;
import java.util.function.Predicate;
import org.anabranch.model.ListedReference;
import org.anabranch.model.Page;
import org.anabranch.model.ReferencesRequest;
import org.anabranch.security.Access;
import org.anabranch.versioning.refs.ReferenceListing;

/** Lists branches and tags. Safe from many threads. */
public final class ListReferences {

    private final ReferenceListing listing;
    private final Function<String, ? extends Predicate<ListedReference>> filters;

    /** @param filters compiles the text of a filter, or refuses it */
    public ListReferences(ReferenceListing listing, Function<String, ? extends Predicate<ListedReference>> filters) {
        this.listing = listing;
        this.filters = filters;
    }

    /**
     * Reads one page: branches by name, then tags by name, those that the caller may know of, with metadata those whose log they may read.
     *
     * @throws org.anabranch.model.RefusedException 400 if the filter or the page token is not good
     */
    public Page<ListedReference> list(ReferencesRequest request, Access access) {
        Predicate<ListedReference> filter = request.filter().isEmpty() ? null : filters.apply(request.filter());
        return listing.page(
                request.detail(), access::views, access::readsLog, filter, request.maxRecords(), request.pageToken());
    }
}
