package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What judges the collector shares no code with it. */
class AuditIndependenceTest {

    /** Those that run the collector, and this test. */
    private static final Set<String> BOTH_SIDES =
            Set.of("TestCollector", "GcLawsIT", "MarkLawsIT", "GcOnReferenceServerIT", "AuditIndependenceTest");

    private static final String COLLECTOR = "org/anabranch/gc/";

    @Test
    void lakesAndTheirAuditNameNothingOfTheCollector() throws Exception {
        Path folder =
                Path.of(LakeAudit.class.getResource("LakeAudit.class").toURI()).getParent();
        List<String> judges = new ArrayList<>();
        try (Stream<Path> classes = Files.list(folder)) {
            for (Path file :
                    classes.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString().split("[.$]")[0];
                if (!BOTH_SIDES.contains(name)) {
                    judges.add(name);
                    String names = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                    assertThat(names.contains(COLLECTOR)).as(file.toString()).isFalse();
                }
            }
        }
        assertThat(judges).contains("LakeAudit", "NeededFiles", "Cutoffs", "LiveRules", "RandomLake", "TableChanges");
    }
}
