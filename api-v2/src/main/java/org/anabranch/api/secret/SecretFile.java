package org.anabranch.api.secret;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files that hold one secret each, such as a token or a password. */
public final class SecretFile {

    /** Far more than any token or password has. */
    static final int MAX_BYTES = 64 << 10;

    private SecretFile() {}

    /**
     * Reads a secret: the whole text of its file, but for one line end behind it.
     *
     * @param name of the option or property that names the file
     * @return one line in UTF-8, never blank; blanks around the secret are part of it
     * @throws IllegalArgumentException if there is no such file or it cannot be read, or it is empty, has several lines, more than
     *     64 KB, or something else than text; the message says so with the option and the file, and nothing of what the file holds
     */
    public static String read(String name, Path file) {
        String secret = withoutLineEnd(text(name, file));
        if (secret.isBlank()) {
            throw refused(name, file, "is empty, and must hold a secret");
        }
        if (secret.contains("\n") || secret.contains("\r")) {
            throw refused(name, file, "has several lines, and must hold the secret alone");
        }
        return secret;
    }

    private static String text(String name, Path file) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw refused(name, file, "cannot be read (" + reason(file, e) + ")");
        }
        if (bytes.length > MAX_BYTES) {
            throw refused(name, file, "has more than " + MAX_BYTES + " bytes, and must hold the secret alone");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused(name, file, "is no text in UTF-8");
        }
    }

    private static String withoutLineEnd(String text) {
        return text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static String reason(Path file, IOException failure) {
        if (Files.isDirectory(file)) {
            return "it is a folder";
        }
        if (failure instanceof NoSuchFileException) {
            return "it is not there";
        }
        return failure instanceof AccessDeniedException
                ? "this user may not read it"
                : String.valueOf(failure.getMessage());
    }

    /** Without a cause: where one is told, it is told in place of this sentence. */
    private static IllegalArgumentException refused(String name, Path file, String reason) {
        return new IllegalArgumentException(name + ": " + file.toAbsolutePath() + " " + reason);
    }
}
