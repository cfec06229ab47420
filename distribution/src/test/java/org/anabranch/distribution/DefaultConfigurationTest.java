package org.anabranch.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files that an operator finds in a distribution and edits. */
class DefaultConfigurationTest {

    private static final String PROPERTIES = "distribution/src/files/config/application.properties";
    private static final Pattern SETTING = Pattern.compile("^#([a-z][a-z0-9.-]+)=(.*)$", Pattern.MULTILINE);
    private static final Pattern PATH =
            Pattern.compile("(?<![\\w.])/opt/anabranch/(\\S+?)(?=[\\s,]|$)", Pattern.MULTILINE);

    @Test
    void nothingIsSetUntilSomebodyDoesButHowStrongThatIs() {
        assertThat(Project.text(PROPERTIES).lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
                .containsExactly("config_ordinal=270");
    }

    @Test
    void everySettingIsDocumented() {
        List<String> settings = new ArrayList<>();
        SETTING.matcher(Project.text(PROPERTIES)).results().forEach(setting -> settings.add(setting.group(1)));

        assertThat(settings).hasSizeGreaterThan(10);
        assertThat(Project.documentedProperties()).containsAll(settings);
    }

    /** Addresses and names cannot have a default; every other setting shows the one that holds. */
    @Test
    void whatHasADefaultShowsIt() {
        String documented = Project.text("docs/configuration.md");

        for (MatchResult setting :
                SETTING.matcher(Project.text(PROPERTIES)).results().toList()) {
            String row = documented
                    .lines()
                    .filter(line -> line.startsWith("| `" + setting.group(1) + "` |"))
                    .findFirst()
                    .orElseThrow();
            List<String> defaults = Pattern.compile("\\| `([^`]*)` (?=\\|)")
                    .matcher(row.substring(row.indexOf('|', 1)))
                    .results()
                    .map(cell -> cell.group(1))
                    .filter(cell -> !cell.startsWith("--"))
                    .toList();
            if (!defaults.isEmpty()) {
                assertThat(defaults).as(row).containsExactly(setting.group(2));
            }
        }
    }

    @Test
    void theUnitOfSystemdStartsWhatTheArchiveBrings() {
        String unit = Project.text("distribution/src/files/systemd/anabranch.service");
        List<String> paths =
                PATH.matcher(unit).results().map(path -> path.group(1)).toList();

        assertThat(paths).contains("anabranch", "docs/operations.md");
        assertThat(paths).allSatisfy(path -> assertThat(Project.path(path)).exists());
        assertThat(unit)
                .contains("ExecStart=/opt/anabranch/anabranch serve\n")
                .contains("SuccessExitStatus=143")
                .contains("NoNewPrivileges=yes")
                .contains("ProtectSystem=strict")
                .contains("StateDirectory=anabranch")
                .contains("ANABRANCH_STORE_PATH=/var/lib/anabranch");
    }
}
