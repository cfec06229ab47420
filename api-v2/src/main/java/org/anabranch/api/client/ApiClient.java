package org.anabranch.api.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Reads from a server of API v2. Sends a request again that met no answer or one that asks for patience (429, 502, 503, 504), after
 * the time that the server names or one that doubles from 100 ms up to 10 s. Safe from many threads, which are all that makes requests
 * parallel.
 */
public final class ApiClient {

    private static final Set<Integer> TRY_AGAIN = Set.of(429, 502, 503, 504);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE_ASKED_FOR = Duration.ofMinutes(2);
    private static final String EXTENSION = "/ext/v1";

    private final ApiOptions options;
    private final Pace pace;
    private final InstantSource clock;
    private final HttpClient http;
    private final ObjectMapper json = new ObjectMapper();
    private final RequestRate rate;
    private final AtomicLong requests = new AtomicLong();

    /** @param clock for servers that name the time until which to wait */
    public ApiClient(ApiOptions options, Pace pace, InstantSource clock) {
        this.options = options;
        this.pace = pace;
        this.clock = clock;
        this.rate = new RequestRate(options.requestsPerSecond(), pace);
        this.http = HttpClient.newBuilder()
                .connectTimeout(options.timeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** How many requests were sent so far, repetitions included. */
    public long requests() {
        return requests.get();
    }

    /**
     * Asks for one object.
     *
     * @param path below the base, such as {@code config}; references in it as {@link #path} writes them
     * @throws ApiFailure if there is no usable answer
     */
    public JsonNode get(String path, Map<String, String> query) {
        return send(uri(options.api().toString(), path, query), Long.MAX_VALUE).orElseThrow();
    }

    /**
     * Asks for one object that may turn out too large to hold.
     *
     * @return empty if the body has more bytes than that; the rest of it is not read
     */
    public Optional<JsonNode> getUpTo(long bytes, String path, Map<String, String> query) {
        return send(uri(options.api().toString(), path, query), bytes);
    }

    /** As {@link #get}, in Anabranch's own part of the API. */
    public JsonNode getExtension(String path) {
        String api = options.api().toString();
        return send(uri(api.substring(0, api.length() - "/v2".length()) + EXTENSION, path, Map.of()), Long.MAX_VALUE)
                .orElseThrow();
    }

    /**
     * Reads a listing to its end, page by page as it is iterated; memory holds one page.
     *
     * @param items name of the list in every page
     * @return the items; every step may throw {@link ApiFailure}
     */
    public Iterator<JsonNode> list(String path, Map<String, String> query, String items) {
        Rounds rounds = new Rounds();
        return new Pages(token -> {
            Map<String, String> parameters = new TreeMap<>(query);
            token.ifPresent(value -> parameters.put("page-token", value));
            URI uri = uri(options.api().toString(), path, parameters);
            JsonNode answer = send(uri, Long.MAX_VALUE).orElseThrow();
            boolean hasMore = answer.path("hasMore").asBoolean();
            if (!answer.path(items).isArray()
                    || hasMore && !answer.path("token").isTextual()) {
                throw new ApiFailure(uri, 200, "'" + items + "' or the token of the next page is missing", null);
            }
            Optional<String> next = hasMore ? Optional.of(answer.path("token").textValue()) : Optional.empty();
            if (next.isPresent() && rounds.comeBackTo(next.get())) {
                throw new ApiFailure(
                        uri, 200, "the next page is one that was there before, so the listing has no end", null);
            }
            return new Page(answer.path(items).elements(), next);
        });
    }

    /** What an answer is that has come and cannot be used. */
    ApiFailure unusable(String path, String reason) {
        return new ApiFailure(uri(options.api().toString(), path, Map.of()), 200, reason, null);
    }

    /** Writes a segment of a path, whatever characters it has. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static URI uri(String base, String path, Map<String, String> query) {
        StringBuilder uri = new StringBuilder(base).append('/').append(path);
        char separator = '?';
        for (Map.Entry<String, String> parameter : new TreeMap<>(query).entrySet()) {
            uri.append(separator)
                    .append(segment(parameter.getKey()))
                    .append('=')
                    .append(segment(parameter.getValue()));
            separator = '&';
        }
        return URI.create(uri.toString());
    }

    private Optional<JsonNode> send(URI uri, long bytes) {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            boolean isLast = attempt == options.attempts();
            Optional<Duration> asked = Optional.empty();
            try {
                rate.await();
                requests.incrementAndGet();
                HttpResponse<InputStream> response = http.send(request(uri), HttpResponse.BodyHandlers.ofInputStream());
                try (InputStream body = new TimedStream(response.body(), options.timeout())) {
                    if (response.statusCode() == 200) {
                        return Optional.of(object(uri, new LimitedStream(body, bytes)));
                    }
                    if (isLast || !TRY_AGAIN.contains(response.statusCode())) {
                        throw new ApiFailure(uri, response.statusCode(), reason(body.readAllBytes()), null);
                    }
                    asked = retryAfter(response.headers());
                }
            } catch (LimitedStream.Exceeded e) {
                return Optional.empty();
            } catch (JsonProcessingException e) {
                throw new ApiFailure(uri, 200, "the body is not JSON: " + e.getOriginalMessage(), e);
            } catch (IOException e) {
                if (isLast) {
                    String reason = e instanceof ConnectException ? "nobody answers at this address" : e.toString();
                    throw new ApiFailure(uri, 0, reason, e);
                }
            } catch (InterruptedException e) {
                throw interrupted(uri, e);
            }
            try {
                pace.pause(asked.orElse(pause));
            } catch (InterruptedException e) {
                throw interrupted(uri, e);
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private HttpRequest request(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(options.timeout())
                .header("Accept", "application/json")
                .header("Nessie-Client-Spec", "2.2.0");
        options.headers().forEach(request::setHeader);
        return request.GET().build();
    }

    private JsonNode object(URI uri, InputStream body) throws IOException {
        JsonNode node = json.readTree(body);
        if (!node.isObject()) {
            throw new ApiFailure(uri, 200, "the body is not a JSON object", null);
        }
        return node;
    }

    private String reason(byte[] body) {
        try {
            JsonNode message = json.readTree(body).path("message");
            return message.isTextual() ? message.textValue() : "without a message";
        } catch (IOException e) {
            return "without a readable message";
        }
    }

    private Optional<Duration> retryAfter(HttpHeaders headers) {
        return headers.firstValue("Retry-After")
                .flatMap(this::duration)
                .map(asked -> asked.isNegative()
                        ? Duration.ZERO
                        : asked.compareTo(LONGEST_PAUSE_ASKED_FOR) < 0 ? asked : LONGEST_PAUSE_ASKED_FOR);
    }

    private Optional<Duration> duration(String retryAfter) {
        try {
            return Optional.of(
                    retryAfter.chars().allMatch(Character::isDigit)
                            ? Duration.ofSeconds(Long.parseLong(retryAfter))
                            : Duration.between(
                                    clock.instant(),
                                    ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME)));
        } catch (DateTimeException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ApiFailure interrupted(URI uri, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ApiFailure(uri, 0, "the caller was interrupted", e);
    }

    private record Page(Iterator<JsonNode> items, Optional<String> next) {}

    /** Notices tokens that go round, at the third round at the latest, and remembers one of them only. */
    private static final class Rounds {

        private String remembered = "";
        private long age;
        private long renewedAt = 1;

        boolean comeBackTo(String token) {
            if (token.equals(remembered)) {
                return true;
            }
            if (++age == renewedAt) {
                remembered = token;
                age = 0;
                renewedAt *= 2;
            }
            return false;
        }
    }

    /** The items of all pages, the first of which is there before anybody asks. */
    private static final class Pages implements Iterator<JsonNode> {

        private final Function<Optional<String>, Page> fetch;
        private Page page;

        Pages(Function<Optional<String>, Page> fetch) {
            this.fetch = fetch;
            this.page = fetch.apply(Optional.empty());
        }

        @Override
        public boolean hasNext() {
            while (!page.items.hasNext() && page.next.isPresent()) {
                page = fetch.apply(page.next);
            }
            return page.items.hasNext();
        }

        @Override
        public JsonNode next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.items.next();
        }
    }
}
