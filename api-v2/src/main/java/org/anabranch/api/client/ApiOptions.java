package org.anabranch.api.client;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.anabranch.api.secret.SecretFile;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client asks, and how hard.
 *
 * @param api base of API v2, such as {@code http://127.0.0.1:19120/api/v2}
 * @param headers sent with every request, such as {@code Authorization: Bearer ...}
 * @param requestsPerSecond at most, over all threads; 0 for no limit
 * @param attempts how often a request is sent that meets no answer, 429, 502, 503 or 504
 * @param timeout of one attempt
 */
public record ApiOptions(
        URI api, Map<String, String> headers, double requestsPerSecond, int attempts, Duration timeout) {

    private static final String TOKEN_FILE = "--token-file";
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    public ApiOptions {
        if (api.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "The address of an API holds no credentials, because it is told in messages"
                            + " and reports: leave out what stands before the '@', and give it in a header");
        }
        String scheme = api.getScheme();
        if (scheme == null || !(scheme.equals("http") || scheme.equals("https")) || api.getHost() == null) {
            throw new IllegalArgumentException(
                    "'" + api + "' is not the address of an API: give one such as http://127.0.0.1:19120/api/v2");
        }
        if (api.getPath() == null || !api.getPath().replaceAll("/+$", "").endsWith("/v2")) {
            throw new IllegalArgumentException("'" + api + "' does not end in /v2, as the base of API v2 does");
        }
        if (requestsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "A rate of requests is 0 for no limit, or more, not " + requestsPerSecond);
        }
        if (attempts < 1) {
            throw new IllegalArgumentException("A request is sent at least once, not " + attempts + " times");
        }
        headers = Map.copyOf(headers);
        api = URI.create(api.toString().replaceAll("/+$", ""));
    }

    /** A patient caller without limits or credentials. */
    public static ApiOptions of(URI api) {
        return new ApiOptions(api, Map.of(), 0, 8, Duration.ofMinutes(2));
    }

    /**
     * Headers as people give them on a command line.
     *
     * @param lines each a name and a value with a colon between them
     * @param tokenFile as {@link #bearer} takes it, which becomes a header of its own; null for none
     * @throws IllegalArgumentException if a line has no name, or the file holds no token
     */
    public static Map<String, String> headers(List<String> lines, @Nullable Path tokenFile) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new IllegalArgumentException("--header: give a name and a value with a colon between them");
            }
            headers.put(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        if (tokenFile != null) {
            headers.put("Authorization", bearer(tokenFile));
        }
        return headers;
    }

    /**
     * The value of {@code Authorization} that shows a token.
     *
     * @param tokenFile of the option {@code --token-file}, as {@link SecretFile} reads it
     * @throws IllegalArgumentException if the file holds no token; the message names it and tells nothing of what it holds
     */
    public static String bearer(Path tokenFile) {
        String token = SecretFile.read(TOKEN_FILE, tokenFile);
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException(TOKEN_FILE + ": " + tokenFile.toAbsolutePath()
                    + " holds no token: those are letters, digits and signs of ASCII without blanks");
        }
        return "Bearer " + token;
    }

    /** The headers are credentials as a rule, so they are counted only. */
    @Override
    public String toString() {
        return api + " with " + headers.size() + " headers";
    }
}
