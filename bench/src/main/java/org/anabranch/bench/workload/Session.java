package org.anabranch.bench.workload;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.anabranch.bench.http.Answer;
import org.anabranch.bench.http.Connection;
import org.anabranch.bench.load.Recording;
import org.jspecify.annotations.Nullable;

/** One connection to a target with the requests that workloads are made of; each is recorded where the caller says. */
final class Session implements AutoCloseable {

    private static final String TREES = "/api/v2/trees/";

    private final Target target;
    private final Connection connection;
    private final SplittableRandom random;
    private Recording recording = new Recording();

    Session(Target target, long seed) {
        this.target = target;
        this.connection = target.connect();
        this.random = new SplittableRandom(seed);
    }

    /** Tells where what follows is recorded. */
    void recordTo(Recording current) {
        recording = current;
    }

    int randomTable() {
        return random.nextInt(target.catalog().tables());
    }

    int randomNamespace() {
        return random.nextInt(target.catalog().namespaces());
    }

    /** A random table among those that no other of the writers changes. */
    int randomTable(int writer, int writers) {
        int share = Math.max(1, target.catalog().tables() / writers);
        return Math.min(target.catalog().tables() - 1, random.nextInt(share) * writers + writer);
    }

    Optional<Answer> get(String path) throws IOException {
        return measured("GET", path, null);
    }

    Optional<Answer> post(String path, String json) throws IOException {
        return measured("POST", path, json);
    }

    /** Where a branch is now. */
    String head(String branch) throws IOException {
        return beside("GET", TREES + branch, null);
    }

    /** Creates a branch at a commit of {@code main}. */
    void createBranch(String name, String hash) throws IOException {
        measured("POST", "/api/v2/trees?name=" + name + "&type=BRANCH", branchBody(hash));
    }

    void createBranchBeside(String name, String hash) throws IOException {
        beside("POST", "/api/v2/trees?name=" + name + "&type=BRANCH", branchBody(hash));
    }

    void deleteBranch(String name, String hash) throws IOException {
        measured("DELETE", TREES + name + "@" + hash, null);
    }

    void deleteBranchBeside(String name, String hash) throws IOException {
        beside("DELETE", TREES + name + "@" + hash, null);
    }

    /** Commits new metadata of tables; the branch's new head, if that went well. */
    Optional<String> commit(String branch, String expected, int count, IntUnaryOperator tables) throws IOException {
        return measured("POST", TREES + branch + "@" + expected + "/history/commit", commitBody(count, tables))
                .map(Answer::hash);
    }

    String commitBeside(String branch, String expected, int count, IntUnaryOperator tables) throws IOException {
        return beside("POST", TREES + branch + "@" + expected + "/history/commit", commitBody(count, tables));
    }

    void merge(String branch, String expected, String source, String sourceHash) throws IOException {
        measured(
                "POST",
                TREES + branch + "@" + expected + "/history/merge",
                "{\"fromRefName\":\"" + source + "\",\"fromHash\":\"" + sourceHash + "\"}");
    }

    /** A commit that creates namespaces or tables, as its operations; the new head of {@code main}. */
    String create(String expected, List<String> operations) throws IOException {
        return beside(
                "POST",
                TREES + "main@" + expected + "/history/commit",
                "{\"commitMeta\":{\"message\":\"load\"},\"operations\":[" + String.join(",", operations) + "]}");
    }

    String putNew(int table) {
        return target.catalog().put(table, Optional.empty(), random);
    }

    private String commitBody(int count, IntUnaryOperator tables) {
        StringBuilder body = new StringBuilder("{\"commitMeta\":{\"message\":\"update\"},\"operations\":[");
        for (int i = 0; i < count; i++) {
            int table = tables.applyAsInt(i);
            body.append(i == 0 ? "" : ",").append(target.catalog().put(table, target.contentId(table), random));
        }
        return body.append("]}").toString();
    }

    private static String branchBody(String hash) {
        return "{\"type\":\"BRANCH\",\"name\":\"main\",\"hash\":\"" + hash + "\"}";
    }

    private Optional<Answer> measured(String method, String path, @Nullable String json) throws IOException {
        long began = System.nanoTime();
        Answer answer;
        try {
            answer = connection.send(method, path, json);
        } catch (IOException e) {
            recording.error(System.nanoTime() - began, method + " " + path + ": " + e);
            return Optional.empty();
        }
        long elapsed = System.nanoTime() - began;
        if (answer.ok()) {
            recording.done(elapsed);
            return Optional.of(answer);
        }
        switch (answer.status()) {
            case 409 -> recording.conflict(elapsed);
            case 429, 503 -> recording.refused(elapsed);
            default -> recording.error(elapsed, describe(method, path, answer));
        }
        return Optional.empty();
    }

    /** A request that the measured ones need; the hash in its answer. It must succeed. */
    private String beside(String method, String path, @Nullable String json) throws IOException {
        Answer answer = connection.send(method, path, json);
        if (!answer.ok()) {
            throw new IOException(describe(method, path, answer));
        }
        return answer.hash();
    }

    private static String describe(String method, String path, Answer answer) {
        String text = answer.text();
        return method + " " + path + ": " + answer.status() + " " + text.substring(0, Math.min(500, text.length()));
    }

    @Override
    public void close() {
        connection.close();
    }
}
