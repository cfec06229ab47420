package org.anabranch.model;

/** The kinds of content that can be stored; the constant's name is the wire name. Stored by {@link #code}. */
public enum ContentType {
    ICEBERG_TABLE(1),
    ICEBERG_VIEW(2),
    DELTA_LAKE_TABLE(3),
    NAMESPACE(4),
    UDF(5);

    private final int code;

    ContentType(int code) {
        this.code = code;
    }

    /** The stored number of this type: it never changes and is never given again. */
    public int code() {
        return code;
    }

    /**
     * The type with a stored number.
     *
     * @throws IllegalArgumentException if no type has it
     */
    public static ContentType ofCode(int code) {
        for (ContentType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("No content type has the code " + code);
    }
}
