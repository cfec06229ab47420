package org.anabranch.filter;

import java.util.List;
import org.anabranch.model.ContentKey;

/** The strings that filters see of a key. */
final class KeyText {

    /** Stands for a dot inside an element; no element contains it. */
    private static final char DOT_IN_ELEMENT = '\u001d';

    private KeyText() {}

    /** The elements joined with dots, those inside elements written as U+001D. */
    static String encoded(List<String> elements) {
        StringBuilder text = new StringBuilder();
        for (String element : elements) {
            if (!text.isEmpty()) {
                text.append('.');
            }
            text.append(element.replace('.', DOT_IN_ELEMENT));
        }
        return text.toString();
    }

    /** The elements of an encoded key; what no key encodes to gives elements that no key has. */
    static List<String> decoded(String encoded) {
        return List.of(encoded.split("\\.", -1)).stream()
                .map(element -> element.replace(DOT_IN_ELEMENT, '.'))
                .toList();
    }

    static List<String> namespaceElements(ContentKey key) {
        return key.elements().subList(0, key.elements().size() - 1);
    }
}
