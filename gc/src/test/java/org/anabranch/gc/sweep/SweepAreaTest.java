package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.anabranch.gc.state.Untouchables.Untouchable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepAreaTest {

    private static final List<Warehouse> LAKE = List.of(new Warehouse("s3://b/wh"));

    private static SweepArea area(List<String> claims, String... untouchables) {
        return area(LAKE, Reach.KNOWN_LOCATIONS, claims, untouchables);
    }

    private static SweepArea area(
            List<Warehouse> warehouses, Reach reach, List<String> claims, String... untouchables) {
        return SweepArea.of(
                claims,
                Stream.of(untouchables)
                        .map(path -> new Untouchable(path, "damaged"))
                        .toList(),
                warehouses,
                reach,
                UnaryOperator.identity());
    }

    @Test
    void nestedAndSharedFoldersAreOne() {
        SweepArea area = area(List.of("s3://b/wh/db", "s3://b/wh/db/t", "s3a://b/wh/db", "s3://b/wh/db-2"));

        assertThat(area.folders()).containsExactly("s3://b/wh/db", "s3://b/wh/db-2");
        assertThat(area.leftAlone()).isEmpty();
        assertThat(area.refusal("s3://b/wh/db/t/x")).isEmpty();
        assertThat(area.refusal("s3://b/wh/other/x")).hasValue("it lies in no folder that a content claims");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://b/wh/db", "s3n://b/wh/db/t", "s3://b/wh/db/t/data/x", "s3://b/wh", "s3://b"})
    void whatOverlapsWithAnUntouchableFolderIsLeftAlone(String untouchable) {
        SweepArea area = area(List.of("s3://b/wh/db", "s3://b/wh/db/t", "s3://b/wh/db/u"), untouchable);

        assertThat(area.folders()).isEmpty();
        assertThat(area.refusal("s3://b/wh/db/u/x")).get().asString().contains("damaged");
        assertThat(area.leftAlone()).extracting(LeftAlone::cause).containsOnly(LeftAlone.Cause.UNTOUCHABLE);
    }

    @Test
    void anUntouchableFolderLeavesTheOthersAlone() {
        SweepArea area = area(List.of("s3://b/wh/db/t", "s3://b/wh/db/u"), "s3://b/wh/db/u");

        assertThat(area.folders()).containsExactly("s3://b/wh/db/t");
    }

    @Test
    void whatLiesOutsideTheWarehouseIsLeftAlone() {
        SweepArea area = area(List.of(
                "s3://b/wh2/t", "s3://other/wh/t", "/wh/t", "s3://b/wh/../secret", "s3://b/wh/%2e%2e/x", "relative"));

        assertThat(area.folders()).isEmpty();
        assertThat(area.leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .containsExactlyInAnyOrder(
                        tuple("s3://b/wh2/t", LeftAlone.Cause.OUTSIDE),
                        tuple("s3://other/wh/t", LeftAlone.Cause.OUTSIDE),
                        tuple("/wh/t", LeftAlone.Cause.OUTSIDE),
                        tuple("s3://b/wh/../secret", LeftAlone.Cause.OUTSIDE),
                        tuple("s3://b/wh/%2e%2e/x", LeftAlone.Cause.OUTSIDE),
                        tuple("relative", LeftAlone.Cause.UNUSABLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://b/wh", "s3a://b//wh/", "s3://b", "s3://b/wh/t/.."})
    void aFolderThatHoldsAWholeWarehouseIsRefused(String claim) {
        SweepArea area = area(List.of(claim, "s3://b/wh/t"));

        assertThat(area.folders()).containsExactly("s3://b/wh/t");
        assertThat(area.leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .containsExactly(tuple(claim, LeftAlone.Cause.TOO_HIGH));
    }

    @Test
    void aSpellingThatTheStorageTakesForAnotherPlaceIsOutside() {
        // A bucket's key "%77h/t" is not in the folder "wh", though both have one location.
        SweepArea area = area(List.of("s3://b/%77h/t"));

        assertThat(area.folders()).isEmpty();
        assertThat(area.refusal("s3://b/%77h/t/x")).hasValue("it lies in no warehouse");
    }

    @Test
    void everySpellingOfAFolderIsListed() {
        assertThat(area(List.of("s3a://b/wh//a%20b/")).folders()).containsExactly("s3://b/wh//a%20b", "s3://b/wh/a b");
        assertThat(area(List.of(new Warehouse("file:///wh")), Reach.KNOWN_LOCATIONS, List.of("file:/wh//a%20b"))
                        .folders())
                .containsExactly("/wh/a b", "/wh/a%20b");
    }

    @Test
    void theWholeWarehouseIsListedExceptForWhatMustBeLeftAlone() {
        SweepArea area =
                area(LAKE, Reach.WHOLE_WAREHOUSE, List.of("s3://b/wh/t", "s3://b/wh/u", "s3://b/wh"), "s3://b/wh/u/x");

        assertThat(area.folders()).containsExactly("s3://b/wh");
        assertThat(area.refusal("s3://b/wh/unknown/x")).isEmpty();
        assertThat(area.refusal("s3://b/wh/t/x")).isEmpty();
        assertThat(area.refusal("s3://b/wh/u/y")).isPresent();
        assertThat(area.refusal("s3://b/elsewhere/x")).isPresent();
    }

    @Test
    void aFolderBehindASymbolicLinkIsLeftAlone() {
        SweepArea area = SweepArea.of(
                List.of("/wh/linked/t", "/wh/real"),
                List.of(),
                List.of(new Warehouse("/wh")),
                Reach.KNOWN_LOCATIONS,
                path -> path.replace("/wh", "/mnt/wh").replace("linked", "elsewhere"));

        assertThat(area.folders()).containsExactly("/wh/real");
        assertThat(area.leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .containsExactly(tuple("/wh/linked/t", LeftAlone.Cause.LINKED));
    }

    @Test
    void whereAnUntouchableFolderLinksToIsUntouchableToo() {
        SweepArea area = SweepArea.of(
                List.of("/wh/real"),
                List.of(new Untouchable("/wh/linked", "damaged")),
                List.of(new Warehouse("/wh")),
                Reach.KNOWN_LOCATIONS,
                path -> path.replace("linked", "real"));

        assertThat(area.folders()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "file:///", "file://localhost//", "/x/.."})
    void theWholeFileSystemIsNoWarehouse(String path) {
        assertThatThrownBy(() -> new Warehouse(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("whole file system");
    }
}
