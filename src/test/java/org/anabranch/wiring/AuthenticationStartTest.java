package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.oidc.Oidc;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.rest.TokenRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which settings of authentication a service starts with, and what it says of the others. */
class AuthenticationStartTest {

    private static final String PREFIX = "anabranch.authentication.";

    private static Authentication on(String host, String... settings) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(AnabranchConfig.class)
                .withDefaultValue("anabranch.store.path", "unused")
                .withDefaultValue("quarkus.http.host", host);
        for (String setting : settings) {
            String[] nameAndValue = setting.split("=", 2);
            builder.withDefaultValue(PREFIX + nameAndValue[0], nameAndValue[1]);
        }
        SmallRyeConfig config = builder.build();
        return new Authentication(config.getConfigMapping(AnabranchConfig.class), config);
    }

    /** What the framework is told of providers. */
    private static List<OidcTenantConfig> providers(Authentication authentication) {
        List<OidcTenantConfig> told = new ArrayList<>();
        authentication.describeProvider(new Oidc() {
            @Override
            public void create(OidcTenantConfig provider) {
                told.add(provider);
            }

            @Override
            public void createServiceApp(String address) {
                throw new AssertionError(address);
            }

            @Override
            public void createWebApp(String address, String client, String secret) {
                throw new AssertionError(address);
            }
        });
        return told;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void aServiceThatAsksNobodyKeepsOffTheNetwork(String host) {
        assertThatThrownBy(() -> on(host).tell(new StartupEvent()))
                .hasMessageStartingWith("on " + host + " the service would be open to the network")
                .hasMessageContaining("anabranch.authentication.type=oidc")
                .hasMessageContaining("anabranch.authentication.open-to-network=true");
        assertThatCode(() -> on(host, "open-to-network=true").tell(new StartupEvent()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void onThisMachineItStartsAndKnowsNoProvider(String host) {
        Authentication authentication = on(host);

        assertThatCode(() -> authentication.tell(new StartupEvent())).doesNotThrowAnyException();
        assertThat(authentication.rules()).isEqualTo(TokenRules.NONE);
        assertThat(providers(authentication)).singleElement().satisfies(provider -> {
            assertThat(provider.tenantEnabled()).isFalse();
            assertThat(provider.authServerUrl()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            type=oidc oidc.audience=lake | oidc.provider is missing
            type=oidc oidc.provider=https://idp.example | oidc.audience is missing
            type=oidc oidc.audience=lake oidc.provider=idp.example | 'idp.example' is no address such as
            type=oidc oidc.audience=lake oidc.provider=https://idp.example oidc.client-secret=s | oidc.client-id is missing
            type=oidc oidc.audience=lake oidc.provider=https://idp.example oidc.client-secret=s oidc.client-secret-file=f | exclude each other
            type=oidc oidc.audience=lake oidc.provider=https://idp.example oidc.client-secret-file=/nowhere | oidc.client-secret-file: /nowhere cannot be read (it is not there)
            type=oidc oidc.audience=lake oidc.provider=https://idp.example oidc.client-secret-file=/dev/null | oidc.client-secret-file: /dev/null is empty
            oidc.provider=https://idp.example | type is 'none'
            """)
    void settingsThatDoNotFitAreNamed(String settings, String sentence) {
        assertThatThrownBy(() -> providers(on("127.0.0.1", settings.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void theProviderIsDescribedAsConfigured() {
        Authentication authentication = on(
                "0.0.0.0",
                "type=oidc",
                "oidc.provider=https://idp.example/realms/lake",
                "oidc.audience=anabranch,lake",
                "oidc.issuer=https://outside.example",
                "oidc.clock-skew=3S",
                "oidc.name-claim=sub",
                "oidc.role-claim=realm_access/roles");

        assertThat(authentication.rules().audience()).containsExactlyInAnyOrder("anabranch", "lake");
        assertThat(providers(authentication)).singleElement().satisfies(provider -> {
            assertThat(provider.authServerUrl()).hasValue("https://idp.example/realms/lake");
            assertThat(provider.token().audience()).hasValue(List.of("anabranch", "lake"));
            assertThat(provider.token().issuer()).hasValue("https://outside.example");
            assertThat(provider.token().lifespanGrace()).hasValue(3);
            assertThat(provider.token().principalClaim()).hasValue("sub");
            assertThat(provider.token().allowJwtIntrospection()).isFalse();
            assertThat(provider.token().allowOpaqueTokenIntrospection()).isFalse();
            assertThat(provider.roles().roleClaimPath()).hasValue(List.of("realm_access/roles"));
        });
    }
}
