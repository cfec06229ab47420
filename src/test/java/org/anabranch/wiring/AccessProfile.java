package org.anabranch.wiring;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.nio.file.Path;
import java.util.Map;

/** A service with the rules of {@code access/rules.yaml}, whose callers show tokens of the test's provider. */
public final class AccessProfile implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return withRules(Path.of("test/resources/access/rules.yaml").toAbsolutePath());
    }

    static Map<String, String> withRules(Path rules) {
        return Map.of(
                "anabranch.authentication.type", "oidc",
                "anabranch.authentication.oidc.provider", "${keycloak.url}/realms/quarkus",
                "anabranch.authentication.oidc.audience", "https://server.example.com",
                "anabranch.authentication.oidc.role-claim", "groups",
                "anabranch.authorization.type", "rules",
                "anabranch.authorization.rules", rules.toString());
    }
}
