package org.anabranch.gc;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which room of the collector may name which, and the walls around SQL, Iceberg, the clock and chance. */
class ArchitectureTest {

    private static final String ROOT = "org.anabranch.";

    /** One line per room: what it may name beside itself and the words of the domain. */
    private static final Map<String, List<String>> MAY_NAME = Map.of(
            "gc", List.of(),
            "gc.api", List.of("gc", "api.client", "api.v2"),
            "gc.policy", List.of("gc", "api.v2"),
            "gc.state", List.of("gc"),
            "gc.storage", List.of("gc"),
            "gc.mark", List.of("gc", "gc.policy", "gc.state"),
            "gc.expand", List.of("gc", "gc.state"),
            "gc.sweep", List.of("gc", "gc.state", "gc.expand"),
            "gc.run", List.of("gc", "gc.policy", "gc.state", "gc.mark", "gc.expand", "gc.sweep"));

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.anabranch.gc");

    static Stream<String> rooms() {
        return MAY_NAME.keySet().stream().sorted();
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
                .check(MODULE);
    }

    private static DescribedPredicate<JavaClass> foreignTo(String room) {
        List<String> allowed = MAY_NAME.get(room);
        return describe("are of another room than " + allowed, named -> {
            if (!named.getPackageName().startsWith(ROOT)) {
                return false;
            }
            String owner = named.getPackageName().substring(ROOT.length());
            return !(owner.equals(room) || owner.equals("model") || allowed.contains(owner));
        });
    }

    @Test
    void everyPackageHasItsLine() {
        TreeSet<String> packages = MODULE.stream()
                .map(each -> each.getPackageName().substring(ROOT.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(packages).isEqualTo(new TreeSet<>(MAY_NAME.keySet()));
    }

    @Test
    void sqlIsSpokenByTheStateAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "gc.state")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..")
                .check(MODULE);
    }

    @Test
    void icebergIsKnownWhereFilesAreOpened() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "gc.expand", ROOT + "gc.storage")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.iceberg..", "software.amazon..")
                .check(MODULE);
    }

    @Test
    void theClockAndChanceAreHandedIn() {
        noClasses()
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
                .check(MODULE);
    }
}
