package org.anabranch.versioning.refs;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;

/**
 * Where a listing of references goes on: at the first reference that is not before this one. As text, base64url of {@code b/}
 * or {@code t/} and the name.
 */
record ReferenceToken(ReferenceKind kind, String name) {

    String encode() {
        String text = (kind == ReferenceKind.BRANCH ? "b/" : "t/") + name;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws RefusedException 400 if the text is no token */
    static ReferenceToken decode(String text) {
        String plain;
        try {
            plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused(text);
        }
        String name = plain.length() > 2 ? plain.substring(2) : "";
        if (!RefSpec.isName(name)) {
            throw refused(text);
        }
        return switch (plain.substring(0, 2)) {
            case "b/" -> new ReferenceToken(ReferenceKind.BRANCH, name);
            case "t/" -> new ReferenceToken(ReferenceKind.TAG, name);
            default -> throw refused(text);
        };
    }

    private static RefusedException refused(String text) {
        return RefusedException.badRequest(
                "page-token '" + text + "' is not valid: send the token of the page before, as it is");
    }
}
