package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the service refuses when it has too much to do or is ending, and that nothing it took on is lost. */
@Timeout(240)
class OverloadIT {

    private static final int WRITERS = 16;

    /** Together more than the system holds of an answer that nobody reads. */
    private static final int LARGE = 700_000;

    private static final int TABLES = 30;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 2_000_000;

    @TempDir
    private Path folder;

    @BeforeEach
    void needsAServiceOfItsOwn() {
        RunningService.assumeNoneIsGiven();
    }

    private static void assertRefusedForNow(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(Http.JSON.readTree(response.body()).path("errorCode").asText())
                .isEqualTo("SERVICE_UNAVAILABLE");
    }

    /** What one thread was told. */
    private record Told(List<String> acknowledged, int refused) {}

    private static Told commitUntilGone(Http http, String name, CountDownLatch enough, CountDownLatch aRefusal)
            throws Exception {
        List<String> acknowledged = new ArrayList<>();
        int refused = 0;
        for (int n = 0; ; n++) {
            String message = name + "-" + n;
            HttpResponse<String> response;
            try {
                response = PlainCommit.send(http, "main", PlainCommit.body(message));
            } catch (IOException serviceIsGone) {
                return new Told(acknowledged, refused);
            }
            if (response.statusCode() == 200) {
                acknowledged.add(message);
                enough.countDown();
            } else {
                assertRefusedForNow(response);
                refused++;
                aRefusal.countDown();
            }
        }
    }

    private static void await(String what, CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("waiting until %s", what)
                .isTrue();
    }

    @Test
    void anEndUnderLoadLosesNothing() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        int refused = 0;
        // The writers end with the service, which therefore ends before they are waited for.
        try (ExecutorService threads = Executors.newCachedThreadPool();
                ServiceProcess service = ServiceProcess.start(folder, "-Dquarkus.shutdown.timeout=60S");
                Http http = new Http(service.api())) {
            CountDownLatch enough = new CountDownLatch(300);
            CountDownLatch aRefusal = new CountDownLatch(1);
            try (HeldRequest held =
                    new HeldRequest(service.api(), PlainCommit.path("main"), PlainCommit.body("held"))) {
                List<Future<Told>> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    String name = "w" + i;
                    writers.add(threads.submit(() -> commitUntilGone(http, name, enough, aRefusal)));
                }
                await("300 commits are acknowledged", enough);
                service.askToEnd();
                HttpResponse<String> response;
                do {
                    response = http.send(http.request("/config").build());
                } while (response.statusCode() == 200);
                assertRefusedForNow(response);
                assertThat(response.headers().firstValue("Connection")).hasValue("close");
                assertThat(service.isReady()).isFalse();
                await("a writer is refused", aRefusal);

                assertThat(held.finish()).as("was begun before the end").isEqualTo("HTTP/1.1 200 OK");
                acknowledged.add("held");
                for (Future<Told> writer : writers) {
                    acknowledged.addAll(writer.get().acknowledged());
                    refused += writer.get().refused();
                }
            }
            assertThat(service.awaitEnd()).isEqualTo(143);
            assertThat(refused).isPositive();

            service.restart();
            assertThat(PlainCommit.messages(http, "main")).containsExactlyInAnyOrderElementsOf(acknowledged);
            System.out.printf("%d commits acknowledged and there, %d refused%n", acknowledged.size(), refused);
        }
    }

    @Test
    void moreRequestsThanThreadsAndPlacesToWaitAreRefused() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(
                        folder,
                        "-Dquarkus.thread-pool.core-threads=1",
                        "-Dquarkus.thread-pool.max-threads=3",
                        "-Dquarkus.thread-pool.queue-size=2",
                        "-Danabranch.limits.waiting-requests=2");
                Http http = new Http(service.api())) {
            String location = "x".repeat(LARGE);
            for (int i = 0; i < TABLES; i++) {
                PlainCommit.send(http, "main", PlainCommit.body("large" + i, location));
            }
            List<UnreadAnswer> unread = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                unread.add(new UnreadAnswer(service.api(), "/trees/main/entries?content=true"));
            }
            List<UnreadAnswer> begun = new ArrayList<>();
            List<String> statuses = new ArrayList<>();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (begun.size() < 4) {
                assertThat(System.nanoTime()).as("only %s have come", statuses).isLessThan(deadline);
                for (UnreadAnswer one : unread) {
                    if (!begun.contains(one) && one.isAnswered()) {
                        begun.add(one);
                        statuses.add(one.status());
                    }
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            assertThat(statuses)
                    .as("three threads, two places to wait")
                    .containsExactlyInAnyOrder(
                            "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 503 Se");
            assertRefusedForNow(http.send(http.request("/config").build()));
            // Those that hold a thread come first: the others wait for them.
            Set<UnreadAnswer> inOrder = new LinkedHashSet<>(begun);
            inOrder.addAll(unread);
            int whole = 0;
            for (UnreadAnswer one : inOrder) {
                if (one.finish() > (long) LARGE * TABLES) {
                    whole++;
                }
                one.close();
            }
            assertThat(whole).isEqualTo(5);
        }
    }

    @Test
    void bodiesTogetherAreBounded() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(
                        folder, "-Danabranch.limits.request-body=1M", "-Danabranch.limits.request-bodies=1M");
                Http http = new Http(service.api())) {
            String location = "x".repeat(700_000);
            List<String> statuses = new ArrayList<>();
            try (HeldRequest first = new HeldRequest(
                            service.api(), PlainCommit.path("main"), PlainCommit.body("first", location));
                    HeldRequest second = new HeldRequest(
                            service.api(), PlainCommit.path("main"), PlainCommit.body("second", location))) {
                statuses.add(second.finish());
                statuses.add(first.finish());
            }
            assertThat(statuses)
                    .as("not both fit, and neither needs to when they take turns in taking the room")
                    .contains("HTTP/1.1 503 Se")
                    .isSubsetOf("HTTP/1.1 503 Se", "HTTP/1.1 200 OK");
            HttpResponse<String> response;
            do {
                response = PlainCommit.send(http, "main", PlainCommit.body("again", location));
                if (response.statusCode() != 200) {
                    assertRefusedForNow(response);
                }
            } while (response.statusCode() != 200);
        }
    }
}
