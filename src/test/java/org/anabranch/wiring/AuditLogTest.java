package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Event;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.rest.AuditEntry.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the audit trail, whatever requests hold, and when it cannot be written. */
class AuditLogTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.123456Z");
    private static final CommitId HEAD = CommitId.parse("ab".repeat(32));

    @TempDir
    Path folder;

    private static Request request(String user, String agent, String reference) {
        return new Request(
                "id-1",
                "req-1",
                user,
                List.of("writers"),
                "commit",
                reference,
                List.of("sales.t"),
                0,
                "10.0.0.7",
                "",
                agent);
    }

    private static AuditLog log(Path path, boolean isStrict) throws IOException {
        return new AuditLog(new AuditFile(path, 1 << 20, 3), isStrict, () -> NOW);
    }

    private List<JsonNode> records(Path path) throws IOException {
        ObjectMapper json = new ObjectMapper();
        return Files.readAllLines(path).stream()
                .map(line -> {
                    try {
                        return json.readTree(line);
                    } catch (IOException e) {
                        throw new AssertionError("no JSON: " + line, e);
                    }
                })
                .toList();
    }

    @Test
    void aRecordIsALineWithWhatIsKnown() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        try (AuditLog log = log(path, false)) {
            log.intend(request("etl", "agent/1", "main"));
            log.record(Event.WRITE, request("etl", "agent/1", "main"), new Effect(Outcome.DONE, HEAD, HEAD, ""));
            log.record(Event.DENIAL, request("", "", ""), new Effect(Outcome.DENIED, null, null, "Not allowed"));
        }
        assertThat(Files.readString(path)).isEqualTo("""
                        {"time":"2026-01-31T12:00:00.123456Z","event":"write","id":"id-1","requestId":"req-1","user":"etl",\
                        "roles":["writers"],"operation":"commit","reference":"main","keys":["sales.t"],\
                        "client":"10.0.0.7","userAgent":"agent/1","outcome":"done","oldHead":"%s","newHead":"%s"}
                        {"time":"2026-01-31T12:00:00.123456Z","event":"denial","id":"id-1","requestId":"req-1",\
                        "roles":["writers"],"operation":"commit","keys":["sales.t"],"client":"10.0.0.7",\
                        "outcome":"denied","detail":"Not allowed"}
                        """.formatted(HEAD, HEAD));
    }

    @Test
    void nothingThatCallersSendLooksLikeALineOfItsOwn() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        String evil = "x\",\"user\":\"root\"}\n{\"event\":\"write\"}\r\u001b[2J\u009b1m\u2028\u202e%s%n{}";
        try (AuditLog log = log(path, false)) {
            log.record(Event.WRITE, request(evil, evil, evil), Effect.of(Outcome.REFUSED, evil));
        }
        assertThat(Files.readString(path).chars().filter(c -> c < 0x20 || c > 0x7e))
                .containsExactly((int) '\n');
        assertThat(records(path)).singleElement().satisfies(entry -> {
            assertThat(entry.get("user").asText()).isEqualTo(evil);
            assertThat(entry.get("userAgent").asText()).isEqualTo(evil);
            assertThat(entry.get("reference").asText()).isEqualTo(evil);
            assertThat(entry.get("detail").asText()).isEqualTo(evil);
        });
    }

    @Test
    void whatCallersSendIsCut() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        String longText = "x".repeat(100_000);
        try (AuditLog log = log(path, false)) {
            log.record(Event.WRITE, request("etl", longText, longText), Effect.of(Outcome.REFUSED, longText));
        }
        assertThat(Files.size(path)).isLessThan(5_000);
    }

    @Test
    void aFileThatIsLargeIsFollowedByAnother() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        try (AuditFile file = new AuditFile(path, 1_000, 3)) {
            for (int i = 0; i < 100; i++) {
                file.write("%099d".formatted(i));
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.3");
        }
        assertThat(Files.readAllLines(path)).last().isEqualTo("%099d".formatted(99));
    }

    @Test
    void whatWasThereBeforeStays() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        Files.writeString(path, "before\n");
        try (AuditFile file = new AuditFile(path, 1_000, 3)) {
            file.write("after");
        }
        assertThat(Files.readAllLines(path)).containsExactly("before", "after");
    }

    @Test
    void aStrictTrailHasTheIntentFirst() throws IOException {
        Path path = folder.resolve("audit.jsonl");
        try (AuditLog log = log(path, true)) {
            log.intend(request("etl", "", "main"));
            assertThat(records(path)).singleElement().satisfies(entry -> {
                assertThat(entry.get("event").asText()).isEqualTo("intent");
                assertThat(entry.has("outcome")).isFalse();
            });
        }
    }

    /** A device that is always full. */
    @Test
    void withoutItsIntentAWriteIsRefused() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        try (AuditLog log = log(full, true)) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> log.intend(request("etl", "", "main")))
                    .withMessageContaining("changed nothing")
                    .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
            log.record(Event.WRITE, request("etl", "", "main"), Effect.of(Outcome.REFUSED, "told in the log instead"));
        }
        try (AuditLog log = log(full, false)) {
            log.intend(request("etl", "", "main"));
        }
    }
}
