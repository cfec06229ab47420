package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.Checks;
import org.anabranch.model.ContentKey;

/** Body of a request for several contents. */
public record GetContentsBody(List<RequestedKey> requestedKeys) {

    public GetContentsBody {
        requestedKeys = Fields.atLeastOne("requestedKeys", requestedKeys);
    }

    /**
     * The keys, each once, in the order given.
     *
     * @throws IllegalArgumentException never: the elements were checked when they were read
     */
    public List<ContentKey> keys() {
        return requestedKeys.stream()
                .filter(key -> !key.elements().isEmpty())
                .map(key -> new ContentKey(key.elements()))
                .distinct()
                .toList();
    }

    /** A key that may be without elements, which is legal here and names no content. */
    public record RequestedKey(List<String> elements) {

        public RequestedKey {
            elements = Checks.copied("elements", elements);
            if (!elements.isEmpty()) {
                elements = new ContentKey(elements).elements();
            }
        }
    }
}
