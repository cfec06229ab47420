package org.anabranch.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that the build made, and its bill of materials. That it runs is tried by {@code .ci/distribution}. */
class DistributionIT {

    /**
     * Licences that what we ship may be under, as the bill of materials writes them. Of several that a component offers one suffices;
     * the GNU ones, which some offer besides, are not chosen.
     */
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "CC0-1.0",
            "(CDDL-1.0 OR GPL-2.0-with-classpath-exception)",
            "EPL-2.0",
            "Go License",
            "MIT",
            "MIT-0");

    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    @TempDir
    private static Path folder;

    private static Path unpacked;
    private static JsonNode bill;

    @BeforeAll
    static void unpack() throws Exception {
        Path archive = Project.path("distribution/target/anabranch-" + Project.version() + ".tar.gz");
        Process tar = new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", folder.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        unpacked = folder.resolve("anabranch-" + Project.version());
        bill = new ObjectMapper().readTree(unpacked.resolve("sbom.json").toFile());
    }

    @Test
    void itHasWhatRunsAndWhatIsRead() {
        assertThat(unpacked.resolve("anabranch")).isExecutable();
        for (String file : List.of(
                "LICENSE",
                "README.md",
                "RELEASE-NOTES.md",
                "sbom.json",
                "docs/operations.md",
                "docs/configuration.md",
                "config/application.properties",
                "config/java.options",
                "systemd/anabranch.service",
                "lib/service/quarkus-run.jar",
                "lib/cli/anabranch-cli.jar")) {
            assertThat(unpacked.resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void onlyTheLauncherIsAProgramAndNobodyElseMayWrite() throws IOException {
        try (Stream<Path> files = Files.walk(unpacked)) {
            for (Path file : files.toList()) {
                Set<String> permissions = Files.getPosixFilePermissions(file).stream()
                        .map(Enum::name)
                        .collect(Collectors.toSet());
                assertThat(permissions).as(file.toString()).doesNotContain("GROUP_WRITE", "OTHERS_WRITE");
                if (Files.isRegularFile(file)) {
                    assertThat(permissions.contains("OWNER_EXECUTE"))
                            .as(file.toString())
                            .isEqualTo(file.endsWith("anabranch"));
                }
            }
        }
    }

    @Test
    void theBillOfMaterialsNamesEveryLibrary() throws IOException {
        Set<String> named = new TreeSet<>();
        for (JsonNode component : bill.path("components")) {
            Matcher classifier = CLASSIFIER.matcher(component.path("purl").asText());
            String jar = component.path("name").asText()
                    + "-" + component.path("version").asText()
                    + (classifier.find() ? "-" + classifier.group(1) : "")
                    + ".jar";
            named.add(jar);
            // As Quarkus names it.
            named.add(component.path("group").asText() + "." + jar);
        }
        List<String> unnamed;
        try (Stream<Path> files = Files.walk(unpacked.resolve("lib"))) {
            unnamed = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".jar") && !named.contains(file))
                    .toList();
        }
        assertThat(unnamed)
                .as("what the build itself makes")
                .containsExactlyInAnyOrder(
                        "anabranch-cli.jar", "generated-bytecode.jar", "quarkus-run.jar", "transformed-bytecode.jar");
    }

    @Test
    void everyLibraryIsUnderALicenceThatWeMayShip() {
        TreeMap<String, Set<String>> refused = new TreeMap<>();
        for (JsonNode component : bill.path("components")) {
            Set<String> licences = new TreeSet<>();
            component.path("licenses").forEach(licence -> {
                licences.addAll(licence.findValuesAsText("id"));
                licences.addAll(licence.findValuesAsText("name"));
                licences.addAll(licence.findValuesAsText("expression"));
            });
            if (licences.stream().noneMatch(ALLOWED::contains)) {
                refused.put(component.path("purl").asText(), licences);
            }
        }
        assertThat(bill.path("components")).hasSizeGreaterThan(100);
        assertThat(refused).isEmpty();
    }
}
