package org.anabranch.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileLocationTest {

    @ParameterizedTest
    @CsvSource({
        "s3://b/wh/t, s3://b/wh/t",
        "s3a://b/wh/t, s3://b/wh/t",
        "S3N://b/wh//t/, s3://b/wh/t",
        "s3://b, s3://b",
        "s3://b/, s3://b",
        "s3://b/wh/./t/../u, s3://b/wh/u",
        "s3://b/a%20b/c, s3://b/a b/c",
        "s3://b/a%2520b, s3://b/a b",
        "s3://b/100%/x, s3://b/100%/x",
        "s3://b/%4, s3://b/%4",
        "s3://b/%E2%82%AC/x%3Dy, s3://b/€/x=y",
        "/wh/t, file:///wh/t",
        "//wh//t/, file:///wh/t",
        "file:/wh/t, file:///wh/t",
        "file:///wh/t, file:///wh/t",
        "file:////wh/t, file:///wh/t",
        "file://localhost/wh/t, file:///wh/t",
        "file:/wh/a%2Fb, file:///wh/a/b",
        "/, file:///",
        "gs://b/x, gs://b/x",
        "hdfs://n:8020/x, hdfs://n:8020/x"
    })
    void everySpellingOfAFileIsOneLocation(String text, String location) {
        assertThat(FileLocation.parse(text).value()).isEqualTo(location);
    }

    @ParameterizedTest
    @CsvSource({
        "s3a://b/wh//a%252520b/",
        "file:/wh/./a%20b//c",
        "/wh/a%2525",
        "s3://b/%25%34%31",
    })
    void aLocationIsItsOwnSpelling(String text) {
        FileLocation location = FileLocation.parse(text);
        assertThat(FileLocation.parse(location.value())).isEqualTo(location);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "wh/t", "./t", "s3:b/x", "s3:///x", "file://host/x", "/../x", "s3://b/a/../../x", ":/x"})
    void whatNamesNoFileIsRefusedByItsText(String text) {
        assertThatThrownBy(() -> FileLocation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void containmentGoesByWholeElements() {
        FileLocation folder = FileLocation.parse("s3://b/wh");
        assertThat(FileLocation.parse("s3a://b/wh/t").isWithin(folder)).isTrue();
        assertThat(FileLocation.parse("s3://b/wh/").isWithin(folder)).isTrue();
        assertThat(FileLocation.parse("s3://b/wh2/t").isWithin(folder)).isFalse();
        assertThat(FileLocation.parse("s3://b").isWithin(folder)).isFalse();
        assertThat(FileLocation.parse("/x").isWithin(FileLocation.parse("/"))).isTrue();
    }

    @Test
    void aFolderHasAParentUpToItsStorage() {
        assertThat(FileLocation.parse("s3://b/wh/t").parent()).isEqualTo(FileLocation.parse("s3://b/wh"));
        assertThat(FileLocation.parse("s3://b/wh").parent()).isEqualTo(FileLocation.parse("s3://b"));
        assertThat(FileLocation.parse("s3://b").parent()).isEqualTo(FileLocation.parse("s3://b"));
        assertThat(FileLocation.parse("/wh/t").parent()).isEqualTo(FileLocation.parse("/wh"));
        assertThat(FileLocation.parse("/wh").parent()).isEqualTo(FileLocation.parse("/wh"));
    }
}
