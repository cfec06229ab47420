package org.anabranch.gc.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.ContentPointer;
import org.anabranch.model.ContentKey;

/** Reads contents from JSON as far as files depend on them; of types that are not known here, every text may be a location. */
final class Contents {

    private Contents() {}

    /** @throws IllegalArgumentException if a field that is needed is missing */
    static CatalogEntry entry(JsonNode key, JsonNode content) {
        List<String> elements = new ArrayList<>();
        list(key, "elements").forEach(element -> elements.add(element.asText()));
        String type = text(content, "type");
        return new CatalogEntry(new ContentKey(elements), content.path("id").asText(), content(type, content));
    }

    private static CatalogContent content(String type, JsonNode content) {
        switch (type) {
            case "ICEBERG_TABLE":
                return new CatalogContent.Iceberg(new ContentPointer(
                        ContentPointer.Kind.ICEBERG_TABLE,
                        text(content, "metadataLocation"),
                        number(content, "snapshotId")));
            case "ICEBERG_VIEW":
                return new CatalogContent.Iceberg(new ContentPointer(
                        ContentPointer.Kind.ICEBERG_VIEW,
                        text(content, "metadataLocation"),
                        number(content, "versionId")));
            case "NAMESPACE":
                // Where tables are to be created by default is what its properties may say, and nothing about files.
                return new CatalogContent.Foreign(type, List.of());
            default:
                List<String> locations = new ArrayList<>();
                addLocations(content, locations);
                return new CatalogContent.Foreign(type, locations);
        }
    }

    private static void addLocations(JsonNode node, List<String> locations) {
        if (node.isTextual()
                && (node.textValue().startsWith("/") || node.textValue().contains(":/"))) {
            locations.add(node.textValue());
        }
        node.forEach(child -> addLocations(child, locations));
    }

    static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("the text '" + field + "' is missing in " + shortened(node));
        }
        return value.textValue();
    }

    static JsonNode list(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isArray()) {
            throw new IllegalArgumentException("the list '" + field + "' is missing in " + shortened(node));
        }
        return value;
    }

    private static long number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.canConvertToLong()) {
            throw new IllegalArgumentException("the number '" + field + "' is missing in " + shortened(node));
        }
        return value.longValue();
    }

    private static String shortened(JsonNode node) {
        String text = node.toString();
        return text.length() <= 300 ? text : text.substring(0, 300) + "...";
    }
}
