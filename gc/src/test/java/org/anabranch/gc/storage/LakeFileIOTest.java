package org.anabranch.gc.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.Map;
import org.anabranch.gc.storage.LakeFileIO.UnusableStorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of an S3 that cannot be asked: what to set, in one sentence. */
class LakeFileIOTest {

    private static void isRefused(Map<String, String> properties, String... sayings) {
        try (LakeFileIO lake = new LakeFileIO(properties, RequestRate.unlimited())) {
            // The second attempt looks for nothing any more.
            for (int attempt = 1; attempt <= 2; attempt++) {
                assertThatThrownBy(() -> lake.newInputFile("s3://b/x"))
                        .as("attempt %s", attempt)
                        .isInstanceOf(UnusableStorageException.class)
                        .hasMessageContainingAll(sayings)
                        .message()
                        .hasLineCount(1)
                        .hasSizeLessThan(300);
            }
        }
    }

    @Test
    void withoutARegion(@TempDir Path empty) {
        assumeThat(System.getenv("AWS_REGION")).as("AWS_REGION").isNull();
        System.setProperty("aws.disableEc2Metadata", "true");
        System.setProperty("aws.configFile", empty.resolve("none").toString());
        try {
            isRefused(
                    Map.of("s3.endpoint", "http://127.0.0.1:1"),
                    "no region",
                    "--storage-property client.region=",
                    "AWS_REGION");
        } finally {
            System.clearProperty("aws.disableEc2Metadata");
            System.clearProperty("aws.configFile");
        }
    }

    @Test
    void withoutCredentials() {
        isRefused(
                Map.of(
                        "client.region",
                        "eu-central-1",
                        "client.credentials-provider",
                        "software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider"),
                "no credentials",
                "AWS_ACCESS_KEY_ID",
                "--storage-property s3.access-key-id=");
    }

    @Test
    void withSettingsThatAreNotGood() {
        isRefused(
                Map.of("client.region", "eu-central-1", "s3.endpoint", "nowhere"),
                "cannot be used with these settings",
                "--storage-property");
    }
}
