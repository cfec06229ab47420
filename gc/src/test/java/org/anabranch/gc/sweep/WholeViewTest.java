package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the catalog may hide must not count as dead, whenever it begins to hide something. */
class WholeViewTest extends LocalLakeFixture {

    private Path orphan;

    @BeforeEach
    void makeALake() throws IOException {
        branch("main", table("t"));
        orphan = orphan("t/x");
    }

    @ParameterizedTest
    @EnumSource(
            value = ReadAccess.class,
            names = {"FILTERED", "UNKNOWN"})
    void aCatalogThatDoesNotShowEverythingIsNotMarked(ReadAccess access) {
        catalog.setReadAccess(access);

        assertThatThrownBy(lake::run).isInstanceOf(CatalogUnreadableException.class);
        assertThat(lake.state().runs().latest()).isEmpty();
    }

    @Test
    void theOperatorMayAssertWhatAServerCannotSayButNotWhatItDenies() {
        lake.unfilteredReads = UnfilteredReads.ASSERTED;
        catalog.setReadAccess(ReadAccess.UNKNOWN);
        lake.run();
        lake.run();
        assertThat(orphan).doesNotExist();

        catalog.setReadAccess(ReadAccess.FILTERED);
        assertThatThrownBy(lake::run).isInstanceOf(CatalogUnreadableException.class);
    }

    @Test
    void aMarkDuringWhichTheCatalogBeganToHideSomethingIsNotComplete() {
        lake.beforeMarking = () -> catalog.setReadAccess(ReadAccess.FILTERED);

        assertThatThrownBy(lake::run).isInstanceOf(CatalogUnreadableException.class);
        assertThat(lake.state().runs().latest().orElseThrow().markedAt()).isNull();
    }

    @Test
    void nothingGoesWhenTheCatalogHidSomethingAsReferencesWereReadAgain() {
        lake.run();
        lake.beforeLookingAgain = () -> catalog.setReadAccess(ReadAccess.FILTERED);

        assertThatThrownBy(lake::run).isInstanceOf(CatalogUnreadableException.class);
        assertThat(orphan).exists();
        assertThat(lake.reported("deleting")).isEmpty();
    }

    @Test
    void aRunThatGoesOnAfterItsExpansionLooksFirstWhatIsShown() {
        lake.run();
        lake.beforeFinding = path -> {
            throw new IllegalStateException("the process ends here");
        };
        assertThatThrownBy(lake::run).hasMessage("the process ends here");
        lake.beforeFinding = path -> {};
        catalog.setReadAccess(ReadAccess.FILTERED);

        assertThatThrownBy(lake::resumeInANewProcess).isInstanceOf(CatalogUnreadableException.class);
        assertThat(orphan).exists();
    }
}
