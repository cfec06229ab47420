package org.anabranch.gc.storage;

import java.util.Map;
import java.util.concurrent.CompletionException;
import org.anabranch.gc.storage.LakeFileIO.UnusableStorageException;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.io.DelegateFileIO;
import software.amazon.awssdk.services.s3.S3Client;

/** Opens S3, and says in a sentence why that cannot be done. */
final class S3Storage {

    private static final String PROPERTY = "--storage-property ";

    private S3Storage() {}

    /**
     * Sees to it that there are a region and credentials, of which S3 itself is not asked.
     *
     * @param properties of Iceberg's S3FileIO
     */
    static DelegateFileIO open(Map<String, String> properties) {
        S3FileIO io = new S3FileIO();
        try {
            io.initialize(properties);
            requireCredentials(client(io));
            return io;
        } catch (RuntimeException e) {
            io.close();
            throw e;
        }
    }

    private static S3Client client(S3FileIO io) {
        try {
            return io.client();
        } catch (RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            throw new UnusableStorageException(
                    why.startsWith("Unable to load region")
                            ? "S3 has no region: give " + PROPERTY + "client.region=REGION, or set AWS_REGION"
                            : "S3 cannot be used with these settings: "
                                    + why.lines().findFirst().orElse("") + ". Change what " + PROPERTY + "gives",
                    e);
        }
    }

    private static void requireCredentials(S3Client client) {
        try {
            client.serviceClientConfiguration()
                    .credentialsProvider()
                    .resolveIdentity()
                    .join();
        } catch (RuntimeException e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            throw new UnusableStorageException(
                    "S3 has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or whatever else the AWS SDK"
                            + " takes them from, or give " + PROPERTY + "s3.access-key-id=KEY and " + PROPERTY
                            + "s3.secret-access-key=SECRET",
                    cause);
        }
    }
}
