package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The newest release and this build on one repository: what the one wrote the other serves and goes on from.
 *
 * <p>{@code .ci/upgrade} builds the release from its tag and says where with {@code -Danabranch.previous.service=JAR}.
 */
@Timeout(300)
class UpgradeIT {

    private static final String PREVIOUS = System.getProperty("anabranch.previous.service", "");

    @TempDir
    private Path folder;

    @BeforeEach
    void needPrevious() {
        RunningService.assumeNoneIsGiven();
        assumeFalse(PREVIOUS.isEmpty(), "-Danabranch.previous.service names no release: .ci/upgrade builds the newest");
    }

    private static void commit(ServiceProcess service, String message, List<String> committed) throws Exception {
        try (Http http = new Http(service.api())) {
            HttpResponse<String> response = http.send(http.request(PlainCommit.path("main"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(PlainCommit.body(message)))
                    .build());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        }
        committed.addFirst(message);
    }

    private static void assertShows(ServiceProcess service, List<String> committed) throws Exception {
        try (Http http = new Http(service.api())) {
            assertThat(PlainCommit.messages(http, "main")).isEqualTo(committed);
            for (String message : committed) {
                assertThat(http.get("/trees/main/contents/" + message)
                                .path("content")
                                .path("metadataLocation")
                                .asText())
                        .isEqualTo(message + ".json");
            }
        }
    }

    @Test
    void aFolderOfTheReleaseIsTakenOver() throws Exception {
        List<String> store =
                List.of("--store", "embedded", "--data", folder.resolve("data").toString());
        List<String> committed = new ArrayList<>();
        try (ServiceProcess previous = ServiceProcess.startOf(Path.of(PREVIOUS), store, folder)) {
            for (int n = 0; n < 20; n++) {
                commit(previous, "old-" + n, committed);
            }
        }
        try (ServiceProcess current = ServiceProcess.startOn(store, folder)) {
            assertShows(current, committed);
            commit(current, "new", committed);
            assertShows(current, committed);
            current.check();
        }
    }

    /** Rolling: the release serves on while the first process of this build comes, upgrades the tables, and writes beside it. */
    @Test
    void aDatabaseIsSharedWithTheReleaseWhileProcessesAreReplaced() throws Exception {
        PostgresServer server = PostgresServer.shared();
        List<String> store = List.of("--store", "postgresql", "--url", server.emptyUrl(), "--user", server.user());
        List<String> committed = new ArrayList<>();
        try (ServiceProcess previous =
                ServiceProcess.startOf(Path.of(PREVIOUS), store, Files.createDirectory(folder.resolve("previous")))) {
            commit(previous, "before", committed);
            try (ServiceProcess current =
                    ServiceProcess.startOn(store, Files.createDirectory(folder.resolve("current")))) {
                for (int n = 0; n < 10; n++) {
                    commit(current, "new-" + n, committed);
                    assertShows(previous, committed);
                    commit(previous, "old-" + n, committed);
                    assertShows(current, committed);
                }
                previous.askToEnd();
                previous.awaitEnd();
                commit(current, "after", committed);
                assertShows(current, committed);
                current.check();
            }
        }
    }
}
