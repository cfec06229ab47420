package org.anabranch.cli.stories;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.cli.service.TemporaryFolder;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One service process, on the embedded store in a temporary folder, for all tests of a class.
 *
 * <p>With {@code -Danabranch.uri} no process is started: the tests use the running service that it names.
 */
final class RunningService implements BeforeAllCallback, AfterAllCallback {

    private TemporaryFolder folder;
    private ServiceProcess process;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        if (isNested(context)) {
            return;
        }
        folder = TemporaryFolder.create("anabranch-story-");
        if (givenUri().isEmpty()) {
            process = ServiceProcess.start(folder.path());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (isNested(context)) {
            return;
        }
        if (process != null) {
            process.close();
        }
        folder.close();
    }

    /** Base of the API. */
    URI api() {
        return process == null ? URI.create(givenUri()) : process.api();
    }

    /** A folder that is removed with the service. */
    Path folder() {
        return folder.path();
    }

    /** Skips what needs a service of its own where {@code -Danabranch.uri} names another. */
    static void assumeNoneIsGiven() {
        assumeTrue(givenUri().isEmpty(), "a service of its own is needed, and -Danabranch.uri names another");
    }

    /** JUnit asks again for each nested class. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }

    private static String givenUri() {
        return System.getProperty("anabranch.uri", "");
    }
}
