package org.anabranch.versioning.transfer;

/** What a block of an export holds. Blocks come in this order. */
enum BlockKind {
    REPOSITORY(1),
    REFERENCES(2),
    COMMITS(3),
    END(4);

    private final int code;

    BlockKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** @throws IllegalArgumentException if there is none of that code */
    static BlockKind ofCode(int code) {
        for (BlockKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("No kind of block has the code " + code);
    }
}
