package org.anabranch.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.anabranch.database.PostgresServer;
import org.anabranch.faults.FaultProxy;
import org.anabranch.faults.FaultProxy.Cut;
import org.anabranch.service.RequestUnderFaults.Kind;
import org.anabranch.store.postgres.PostgresStore;
import org.anabranch.testing.PostgresStores;
import org.anabranch.testing.ReferenceCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Requests on PostgreSQL whose connection is cut at every message that the database is asked with: before it, within it, and
 * after it was done but before its answer. Among them is the one that commits.
 *
 * <p>A build tries those that differ to the database: a change of a branch's contents and one of a reference, and half a message as
 * none. With {@code -Dcuts.all=true} every kind of request is cut in every way.
 */
class CutConnectionsTest {

    private static final boolean ALL = Boolean.getBoolean("cuts.all");

    static final List<Kind> KINDS = RequestUnderFaults.KINDS.stream()
            .filter(kind -> ALL || List.of("create a key", "create a branch").contains(kind.name()))
            .toList();

    private static final Set<Cut> CUTS = ALL ? EnumSet.allOf(Cut.class) : EnumSet.of(Cut.BEFORE, Cut.ANSWER_LOST);

    /** A request that asks the database more often than this does too much. */
    private static final int MOST_MESSAGES = 60;

    private static PostgresServer server;
    private static FaultProxy proxy;
    private static final Map<Kind, String> UNDISTURBED = new HashMap<>();

    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of("fsync", "off"));
        proxy = new FaultProxy(server.port());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("KINDS")
    void atEveryMessage(Kind kind) {
        for (Cut cut : CUTS) {
            int n = 1;
            while (isCutAt(n, cut, kind)) {
                n++;
            }
            assertThat(n).as("messages of %s", kind).isBetween(3, MOST_MESSAGES);
        }
    }

    /** Whether the request got as far as that message. */
    private static boolean isCutAt(int n, Cut cut, Kind kind) {
        String url = server.emptyUrl();
        String proxied = url.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
        boolean wasCut;
        try (PostgresStore sound = PostgresStore.open(PostgresStores.settings(server, url));
                PostgresStore cutOff = PostgresStore.open(PostgresStores.settings(server, proxied))) {
            RequestUnderFaults request =
                    new RequestUnderFaults(kind, sound, true, cut + " at message " + n + " of the client");
            ReferenceCatalog catalog = ReferenceCatalog.process(cutOff, sound, 1_000_000);
            proxy.cutAt(n, cut);
            boolean[] isOpen = new boolean[1];
            request.check(catalog, after(kind), () -> isOpen[0] = proxy.takeBackCut());
            wasCut = !isOpen[0];
        }
        server.execute("DROP SCHEMA " + url.substring(url.lastIndexOf('=') + 1) + " CASCADE");
        return wasCut;
    }

    private static String after(Kind kind) {
        return UNDISTURBED.computeIfAbsent(kind, each -> {
            try (PostgresStore store = PostgresStore.open(PostgresStores.settings(server, server.emptyUrl()))) {
                return RequestUnderFaults.undisturbed(each, store);
            }
        });
    }
}
