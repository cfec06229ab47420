package org.anabranch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.security.Access;
import org.anabranch.service.GetConfig;
import org.anabranch.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which room may name which, and the walls around Quarkus, SQL, the clock and chance. */
class ArchitectureTest {

    private static final String ROOT = "org.anabranch.";

    /** What may be named everywhere: the words of the domain. */
    private static final String EVERYWHERE = "model";

    /** The records and exceptions of the store without the store itself: whoever is handed one may look at it. */
    private static final String STORE_RECORDS = "store:records";

    /** One line per room: what it may name beside itself and {@link #EVERYWHERE}. The door comes first. */
    private static final Map<String, List<String>> MAY_NAME = rooms("""
        rest               api.ext api.v2 service security rest.error
        rest.error         api.v2 store:records
        rest.openapi       api.v2
        service            versioning.commit versioning.merge versioning.refs versioning.read versioning.check versioning.sweep versioning.transfer security object store:records
        security           filter
        versioning.merge   versioning.commit versioning.refs dag index object store:records
        versioning.commit  versioning.refs dag index object store:records
        versioning.read    versioning.refs filter dag index object store:records
        versioning.check   versioning.refs dag index object store
        versioning.sweep   dag store
        versioning.transfer versioning.refs dag index object store
        versioning.transfer.peer versioning.transfer api.client api.v2 object store
        versioning.refs    dag object store
        filter
        dag                object store
        index              object
        object             store
        store
        store.memory       store
        store.sql          store
        store.embedded     store store.sql
        store.postgres     store store.sql
        """);

    private static final JavaClasses SERVICE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/testing/target/"))
            .importPackages("org.anabranch");

    private static Map<String, List<String>> rooms(String table) {
        Map<String, List<String>> rooms = new TreeMap<>();
        for (String line : table.lines().toList()) {
            List<String> words = Arrays.asList(line.trim().split(" +"));
            rooms.put(words.get(0), words.subList(1, words.size()));
        }
        return rooms;
    }

    static Stream<String> rooms() {
        return MAY_NAME.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomNamesOnlyItsNeighbours(String room) {
        noClasses()
                .that()
                .resideInAPackage(ROOT + room)
                .should()
                .dependOnClassesThat(foreignTo(room))
                .allowEmptyShould(false)
                .check(SERVICE);
    }

    private static DescribedPredicate<JavaClass> foreignTo(String room) {
        List<String> allowed = MAY_NAME.get(room);
        return describe("are of another room than " + allowed, named -> {
            if (!named.getPackageName().startsWith(ROOT)) {
                return false;
            }
            String owner = named.getPackageName().substring(ROOT.length());
            boolean isRecordOfStore = owner.equals("store") && !named.isEquivalentTo(Store.class);
            return !(owner.equals(room)
                    || owner.equals(EVERYWHERE)
                    || allowed.contains(owner)
                    || isRecordOfStore && allowed.contains(STORE_RECORDS));
        });
    }

    @Test
    void everyPackageHasItsLine() {
        TreeSet<String> packages = SERVICE.stream()
                .map(each -> each.getPackageName().substring(ROOT.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        packages.removeAll(List.of(EVERYWHERE, "api", "api.client", "api.ext", "api.secret", "api.v2", "wiring"));
        assertThat(packages).isEqualTo(new TreeSet<>(MAY_NAME.keySet()));
    }

    @Test
    void theFrameworkStaysAtTheDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        ROOT + "rest..", ROOT + "wiring", ROOT + "api", ROOT + "api.ext", ROOT + "api.v2")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..",
                        "io.quarkus..",
                        "io.smallrye..",
                        "io.vertx..",
                        "org.eclipse.microprofile..",
                        "org.jboss..")
                .check(SERVICE);
    }

    @Test
    void sqlIsSpokenByItsBackendAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "store.sql", ROOT + "store.embedded", ROOT + "store.postgres")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "org.sqlite..", "org.postgresql..", "io.agroal..")
                .check(SERVICE);
    }

    @Test
    void databasesAreWatchedByWiringAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "store.postgres", ROOT + "wiring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("javax.sql..", "io.opentelemetry..", "io.micrometer..")
                .check(SERVICE);
    }

    @Test
    void theClockAndChanceAreHandedOutByWiring() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "wiring")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(InstantSource.class, "system")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, SecureRandom.class, ThreadLocalRandom.class)
                .check(SERVICE);
    }

    /**
     * The service opens no connections but to its database and, through the framework, to the provider of tokens: so nobody can make
     * it call an address that they put into a content. Commands call a running service, and another server to import from it.
     */
    @Test
    void theServiceCallsNobody() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "api.client")
                .and()
                .haveNameNotMatching("org\\.anabranch\\.wiring\\.(RemoteRun|\\w+Options|\\w+Command)(\\$.*)?")
                .should()
                .dependOnClassesThat(describe(
                        "open connections",
                        named -> Stream.of("java.net.http.", "java.nio.channels.Socket", "io.vertx.ext.web.client.")
                                        .anyMatch(named.getName()::startsWith)
                                || List.of(
                                                "java.net.URL",
                                                "java.net.URLConnection",
                                                "java.net.Socket",
                                                "java.net.DatagramSocket",
                                                "io.vertx.core.http.HttpClient",
                                                "io.vertx.core.net.NetClient")
                                        .contains(named.getName())))
                .check(SERVICE);
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "api", ROOT + "api.client", ROOT + "versioning.transfer.peer")
                .and()
                .haveNameNotMatching("org\\.anabranch\\.wiring\\.\\w+(Options|Command)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "api.client")
                .check(SERVICE);
    }

    @Test
    void wiringIsNamedByNobody() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "wiring")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "wiring")
                .check(SERVICE);
    }

    /** Only what a client must know of any server is told to everybody who may call. */
    @Test
    void everyUseCaseIsToldWhoAsks() {
        List<JavaMethod> useCases = SERVICE.stream()
                .filter(each -> each.getPackageName().equals(ROOT + "service") && each.isTopLevelClass())
                .filter(each -> !each.isEquivalentTo(GetConfig.class))
                .flatMap(each -> each.getMethods().stream())
                .filter(method -> method.getCallsOfSelf().stream()
                        .anyMatch(call -> call.getOriginOwner().getSimpleName().endsWith("Resource")))
                .toList();
        assertThat(useCases)
                .hasSizeGreaterThan(15)
                .allSatisfy(method -> assertThat(method.getRawParameterTypes())
                        .as(method.getFullName())
                        .anyMatch(type -> type.isEquivalentTo(Access.class)));
    }
}
