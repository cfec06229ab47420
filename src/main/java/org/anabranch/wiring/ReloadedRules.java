package org.anabranch.wiring;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.anabranch.filter.Conditions;
import org.anabranch.security.Access;
import org.anabranch.security.InvalidRulesException;
import org.anabranch.security.Policy;
import org.anabranch.security.Principal;
import org.anabranch.security.RuleSet;
import org.anabranch.security.RulesFile;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a file, which may change. What is in force stays so until the file has been good, and the same, on two looks: a
 * file that is being written may lack the rules that deny.
 */
final class ReloadedRules implements Policy {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private final Path file;
    private final Conditions conditions;
    private final InstantSource clock;
    private volatile RuleSet inForce;
    private volatile @Nullable Failure failure;

    /** What the file held when it was last looked at, whatever came of it; empty if it could not be read. */
    private String seen;

    /** Whether {@link #seen} has been judged. */
    private boolean judged = true;

    /**
     * @throws IllegalArgumentException the file cannot be read, or is no good file of rules; the message says what is wrong where
     */
    ReloadedRules(Path file, Conditions conditions, InstantSource clock) {
        this.file = file;
        this.conditions = conditions;
        this.clock = clock;
        try {
            seen = read(file);
            inForce = RulesFile.parse(seen, conditions);
        } catch (IOException | InvalidRulesException e) {
            throw new IllegalArgumentException(reason(file, e), e);
        }
    }

    /**
     * That the file is not in force.
     *
     * @param since when it was first seen so
     * @param why for the log alone, as it may quote the rules
     */
    record Failure(Instant since, String why) {}

    /** Reads a file of rules. */
    static String read(Path file) throws IOException {
        // A character is one byte at least.
        if (Files.size(file) > 4L * RulesFile.MAX_LENGTH) {
            throw new IOException("it is larger than any file of rules");
        }
        return Files.readString(file);
    }

    /** What is wrong with a file, in sentences. */
    static String reason(Path file, Exception failure) {
        return switch (failure) {
            case InvalidRulesException invalid ->
                "the rules in " + file + " are not good:\n  "
                        + invalid.getMessage().replace("\n", "\n  ");
            case NoSuchFileException missing -> "the rules cannot be read: there is no file " + file;
            case CharacterCodingException noText -> "the rules cannot be read: " + file + " is no text in UTF-8";
            default -> "the rules cannot be read: " + file + " (" + failure.getMessage() + ")";
        };
    }

    @Override
    public Access of(Principal caller) {
        return inForce.of(caller);
    }

    int count() {
        return inForce.rules().size();
    }

    /** Empty if the file that is there now is in force. */
    Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }

    /** Looks whether the file has changed. */
    synchronized void look() {
        String text;
        try {
            text = read(file);
        } catch (IOException e) {
            seen = "";
            judged = true;
            fail(reason(file, e));
            return;
        }
        if (!text.equals(seen)) {
            seen = text;
            judged = false;
        } else if (!judged) {
            judged = true;
            judge(text);
        }
    }

    private void judge(String text) {
        try {
            inForce = RulesFile.parse(text, conditions);
            failure = null;
            LOG.infof("The rules in %s have changed: %d are in force", file, count());
        } catch (InvalidRulesException e) {
            fail(reason(file, e));
        }
    }

    private void fail(String why) {
        Failure before = failure;
        if (before == null || !why.equals(before.why())) {
            failure = new Failure(before == null ? clock.instant() : before.since(), why);
            LOG.errorf("The rules before stay in force, but the service would not start again: %s", why);
        }
    }
}
