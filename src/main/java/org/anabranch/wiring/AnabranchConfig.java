package org.anabranch.wiring;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The properties of the service. Each has its line in {@code docs/configuration.md}. */
@ConfigMapping(prefix = "anabranch")
public interface AnabranchConfig {

    /** Name of the default branch of a repository that is created; an existing one keeps its own. */
    @WithDefault("main")
    String defaultBranch();

    Store store();

    Authentication authentication();

    Authorization authorization();

    Tls tls();

    Cache cache();

    Limits limits();

    RecentChanges recentChanges();

    Idempotency idempotency();

    Audit audit();

    Sweep sweep();

    Log log();

    Shutdown shutdown();

    /** Where commits are kept. */
    interface Store {

        @WithDefault("embedded")
        Type type();

        /** Folder of the embedded store; created if it is missing. */
        Path path();

        Postgresql postgresql();

        /** The kinds of store. */
        enum Type {
            EMBEDDED,
            POSTGRESQL,
            MEMORY
        }

        /** How to reach the database of the store on PostgreSQL. */
        interface Postgresql {

            /** As the JDBC driver takes it. */
            Optional<String> url();

            Optional<String> user();

            Optional<String> password();

            /** A file with the password, read anew for each connection. */
            Optional<Path> passwordFile();

            /** The most that are open at once. */
            @WithDefault("20")
            int connections();

            /** How long a request waits for one of them. */
            @WithDefault("5S")
            Duration connectionTime();

            /** How long the database works on one statement, waiting for locks included. */
            @WithDefault("10S")
            Duration statementTime();
        }
    }

    /** Whether callers are asked who they are, and who vouches for them. */
    interface Authentication {

        @WithDefault("none")
        Type type();

        /** Whether the service may listen beyond this machine although nobody is asked who they are. */
        @WithDefault("false")
        boolean openToNetwork();

        Oidc oidc();

        /** How callers show who they are. */
        enum Type {
            NONE,
            OIDC
        }

        /** The OpenID provider whose tokens count. */
        interface Oidc {

            /** Its base, below which {@code .well-known/openid-configuration} lies. */
            Optional<URI> provider();

            /** A file with the certificates of the authorities that vouch for the provider's own, in PEM. */
            Optional<Path> authorities();

            /** What tokens name as their issuer, if that is not what the provider says of itself. */
            Optional<String> issuer();

            /** Whom tokens must be for: one of these; {@code any} for everybody. */
            Optional<List<String>> audience();

            /** By how much the clocks of the provider and of this machine may differ. */
            @WithDefault("10S")
            Duration clockSkew();

            /** The claim that names the caller. */
            Optional<String> nameClaim();

            /** The path of the claim that lists the caller's roles. */
            Optional<String> roleClaim();

            /** As whom the service asks the provider about opaque tokens. */
            Optional<String> clientId();

            Optional<String> clientSecret();

            /** A file with the secret. */
            Optional<Path> clientSecretFile();
        }
    }

    /** Whether rules decide what callers may do. */
    interface Authorization {

        @WithDefault("none")
        Type type();

        /** The file with the rules. */
        Optional<Path> rules();

        /** How often it is looked at. */
        @WithDefault("10S")
        Duration reloadPeriod();

        /** What decides. */
        enum Type {
            NONE,
            RULES
        }
    }

    /** The encryption of the API's port. */
    interface Tls {

        /** The certificate and those that vouch for it, in PEM; with it the API is served on HTTPS alone. */
        Optional<Path> certificate();

        /** Its private key, in PEM. */
        Optional<Path> key();

        /** The certificates of the authorities that vouch for clients, in PEM; with it only clients that have one are served. */
        Optional<Path> clientAuthorities();

        /** How often the files are read again. */
        @WithDefault("1M")
        Duration reloadPeriod();
    }

    /** What is kept in memory to be read again. */
    interface Cache {

        /** The most memory that decoded objects take, roughly. */
        @WithDefault("128M")
        MemorySize size();
    }

    /** What one request may ask for. */
    interface Limits {

        /** Largest body of a request, after decompression. */
        @WithDefault("16M")
        MemorySize requestBody();

        /** The most bytes that the bodies of all requests under way have together, after decompression. */
        @WithDefault("64M")
        MemorySize requestBodies();

        /** How long the body of a request may take from its first byte to its last. */
        @WithDefault("1M")
        Duration requestBodyTime();

        /** Most operations of a commit, and most commits of a transplant. */
        @WithDefault("50000")
        int operations();

        /** Most keys that a request names. */
        @WithDefault("50000")
        int keys();

        /** Longest message of a commit, and rest of its metadata together, in UTF-16 code units. */
        @WithDefault("65536")
        int message();

        /** Largest page that a request may ask for. */
        @WithDefault("2147483647")
        int pageSize();

        /** Longest filter, in UTF-16 code units. */
        @WithDefault("4096")
        int filterLength();

        /** Most steps that a filter takes on one object. */
        @WithDefault("1000000")
        int filterSteps();

        /** How long the filter of one request is evaluated. */
        @WithDefault("30S")
        Duration filterTime();

        /** How long the answer to one request may be read and written. */
        @WithDefault("10M")
        Duration answerTime();

        /** How long a write is tried against others. */
        @WithDefault("5S")
        Duration writeTime();

        /** How long one write may hold its branch while it is judged. */
        @WithDefault("30S")
        Duration judgementTime();

        /** On how many heads one write is tried. */
        @WithDefault("1000")
        int writeAttempts();

        /** How many writes of one branch share a durable write. */
        @WithDefault("256")
        int batchRequests();

        /** From how many bytes on nobody joins a durable write any more. */
        @WithDefault("4M")
        MemorySize batchSize();

        /** How many writes may wait for one branch. */
        @WithDefault("300")
        int waitingRequests();
    }

    /** What a reference remembers of where it was. */
    interface RecentChanges {

        @WithDefault("20")
        int count();

        @WithDefault("300S")
        Duration window();
    }

    /** What is kept of requests that carry an idempotency key. */
    interface Idempotency {

        /** How long a repeat is known as one. */
        @WithDefault("24H")
        Duration lifetime();
    }

    /** Where it is kept who changed what. */
    interface Audit {

        @WithDefault("off")
        Mode mode();

        /** What is kept beside the log, a record in a line. */
        Optional<Path> file();

        /** From which size on another file is begun. */
        @WithDefault("100M")
        MemorySize fileSize();

        /** How many earlier files stay. */
        @WithDefault("20")
        int files();

        /** Whether a trail is kept. */
        enum Mode {
            OFF,
            /** Of what was done. */
            LOG,
            /** Also of what is about to be done, without which it is not done. */
            STRICT
        }
    }

    /** How commits that no reference leads to are deleted. */
    interface Sweep {

        /** How long they are condemned before. */
        @WithDefault("72H")
        Duration grace();

        /** Between two sweeps of this process; none if it is missing. */
        Optional<Duration> interval();
    }

    /** What is told on the console. */
    interface Log {

        @WithDefault("text")
        Format format();

        /** From how long on the log tells of a request where its time went; zero for every request. */
        @WithDefault("1S")
        Duration slowRequest();

        /** What a line looks like. */
        enum Format {
            TEXT,
            JSON
        }
    }

    /** How the service ends. */
    interface Shutdown {

        /** How long it still takes requests after it was told to end and is not ready any more. */
        @WithDefault("0S")
        Duration delay();
    }
}
