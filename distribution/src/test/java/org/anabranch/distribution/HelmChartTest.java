package org.anabranch.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The Helm chart, linted and rendered by Helm itself, and held against the types of Kubernetes. */
class HelmChartTest {

    private static final String KUBERNETES = "v1.33.0";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, Class<?>> TYPES = Map.of(
            "ConfigMap", ConfigMap.class,
            "Deployment", Deployment.class,
            "HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
            "Ingress", Ingress.class,
            "NetworkPolicy", NetworkPolicy.class,
            "PersistentVolumeClaim", PersistentVolumeClaim.class,
            "PodDisruptionBudget", PodDisruptionBudget.class,
            "Service", Service.class);

    private static final Map<String, String> SHARED = Map.of(
            "store.postgresql.url", "jdbc:postgresql://db.example:5432/lake",
            "store.postgresql.passwordSecret", "lake-database",
            "authentication.oidc.provider", "https://idp.example/realms/lake",
            "authentication.oidc.audience", "anabranch",
            "authorization.rules", "rules:\n  - allow: all\n",
            "tls.secret", "lake-tls",
            "ingress.enabled", "true",
            "ingress.host", "lake.example",
            "ingress.tlsSecret", "lake-ingress-tls",
            "properties.anabranch\\.cache\\.size", "256M");

    private static final Map<String, String> ALONE = Map.of(
            "store.type", "embedded",
            "authentication.type", "none",
            "authentication.openToNetwork", "true");

    private static Helm chart() {
        return new Helm(Project.path("helm/anabranch"));
    }

    /** What the chart makes of these values, by kind; it makes at most one object of each. */
    private static Map<String, JsonNode> rendered(Map<String, String> values) {
        TemplateCommand template =
                chart().template().withName("lake").withNamespace("data").withKubeVersion(KUBERNETES);
        values.forEach(template::set);
        Map<String, JsonNode> objects = new TreeMap<>();
        for (JsonNode object : Project.yaml(template.call())) {
            assertThat(objects.put(object.path("kind").asText(), object)).isNull();
        }
        return objects;
    }

    private static Map<String, String> with(Map<String, String> values, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(name, value);
        return changed;
    }

    private static Properties properties(Map<String, JsonNode> objects) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(objects.get("ConfigMap")
                .path("data")
                .path("application.properties")
                .asText()));
        properties.remove("config_ordinal");
        return properties;
    }

    private static JsonNode pod(Map<String, JsonNode> objects) {
        return objects.get("Deployment").path("spec").path("template").path("spec");
    }

    private static JsonNode container(Map<String, JsonNode> objects) {
        return pod(objects).path("containers").path(0);
    }

    @Test
    void helmHasNothingToSayAgainstIt() {
        LintResult lint = chart().lint().strict().call();

        assertThat(lint.isFailed()).as(lint.getMessages().toString()).isFalse();
    }

    @Test
    void itsVersionIsThatOfTheProject() {
        JsonNode chart = Project.yaml(Project.text("helm/anabranch/Chart.yaml")).getFirst();

        assertThat(chart.path("appVersion").asText()).isEqualTo(Project.version());
        assertThat(chart.path("version").asText()).isEqualTo(Project.version().replace("-SNAPSHOT", ""));
    }

    @Test
    void everyFieldIsOneThatKubernetesKnows() throws Exception {
        for (Map<String, String> values : List.of(SHARED, ALONE)) {
            for (Map.Entry<String, JsonNode> object : rendered(values).entrySet()) {
                Object typed = JSON.treeToValue(object.getValue(), TYPES.get(object.getKey()));
                assertThat(UnknownFields.of(typed)).as(object.getKey()).isEmpty();
            }
        }
    }

    @Test
    void onPostgresqlItIsMadeForManyProcesses() {
        Map<String, JsonNode> objects = rendered(SHARED);

        assertThat(objects)
                .containsOnlyKeys(
                        "ConfigMap",
                        "Deployment",
                        "HorizontalPodAutoscaler",
                        "Ingress",
                        "NetworkPolicy",
                        "PodDisruptionBudget",
                        "Service");
        JsonNode deployment = objects.get("Deployment").path("spec");
        assertThat(deployment.has("replicas")).as("autoscaling decides").isFalse();
        assertThat(deployment
                        .path("strategy")
                        .path("rollingUpdate")
                        .path("maxUnavailable")
                        .asInt(-1))
                .isZero();
        JsonNode scaling = objects.get("HorizontalPodAutoscaler").path("spec");
        assertThat(scaling.path("scaleTargetRef").path("name"))
                .isEqualTo(objects.get("Deployment").path("metadata").path("name"));
        assertThat(scaling.path("minReplicas").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(objects.get("PodDisruptionBudget")
                        .path("spec")
                        .path("maxUnavailable")
                        .asInt())
                .isEqualTo(1);
        assertThat(rendered(with(SHARED, "autoscaling.enabled", "false"))
                        .get("Deployment")
                        .path("spec")
                        .path("replicas")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void theEmbeddedStoreIsOneProcessWithAVolume() {
        Map<String, JsonNode> objects = rendered(ALONE);

        assertThat(objects)
                .containsOnlyKeys("ConfigMap", "Deployment", "NetworkPolicy", "PersistentVolumeClaim", "Service");
        JsonNode deployment = objects.get("Deployment").path("spec");
        assertThat(deployment.path("replicas").asInt()).isEqualTo(1);
        assertThat(deployment.path("strategy").path("type").asText()).isEqualTo("Recreate");
        assertThat(container(objects).path("volumeMounts").findValuesAsText("mountPath"))
                .contains("/data");
    }

    @Test
    void itIsAskedForItsHealthAndHasTimeToLeave() throws Exception {
        Map<String, JsonNode> objects = rendered(SHARED);
        JsonNode container = container(objects);

        for (String probe : Set.of("startupProbe", "livenessProbe", "readinessProbe")) {
            JsonNode request = container.path(probe).path("httpGet");
            assertThat(request.path("port").asText()).as(probe).isEqualTo("management");
            assertThat(request.path("path").asText())
                    .as(probe)
                    .isEqualTo(probe.startsWith("liveness") ? "/q/health/live" : "/q/health/ready");
        }
        int delay = Integer.parseInt(
                properties(objects).getProperty("anabranch.shutdown.delay").replace("S", ""));
        int timeout = 10;
        assertThat(pod(objects).path("terminationGracePeriodSeconds").asInt()).isGreaterThan(delay + timeout);
        assertThat(delay)
                .as("longer than the readiness probe takes to notice")
                .isGreaterThan(2
                        * container.path("readinessProbe").path("periodSeconds").asInt());
    }

    @Test
    void itMayDoNothingThatItNeedNot() {
        for (Map<String, String> values : List.of(SHARED, ALONE)) {
            Map<String, JsonNode> objects = rendered(values);
            JsonNode pod = pod(objects);
            JsonNode security = container(objects).path("securityContext");

            assertThat(pod.path("securityContext").path("runAsNonRoot").asBoolean())
                    .isTrue();
            assertThat(pod.path("securityContext").path("runAsUser").asInt()).isEqualTo(1001);
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
            assertThat(security.path("allowPrivilegeEscalation").asBoolean(true))
                    .isFalse();
            assertThat(security.path("capabilities").path("drop").toString()).isEqualTo("[\"ALL\"]");
        }
    }

    @Test
    void onlyClientsReachTheApiAndOnlyWhoIsNamedTheManagementPort() {
        Map<String, String> values =
                with(SHARED, "networkPolicy.management[0].namespaceSelector.matchLabels.team", "sre");
        JsonNode policy = rendered(values).get("NetworkPolicy").path("spec");

        assertThat(policy.path("policyTypes").toString()).isEqualTo("[\"Ingress\",\"Egress\"]");
        assertThat(policy.path("ingress").path(0).toString())
                .contains("\"podSelector\":{}")
                .contains("\"port\":\"api\"");
        assertThat(policy.path("ingress").path(1).toString())
                .contains("\"team\":\"sre\"")
                .contains("\"port\":\"management\"")
                .doesNotContain("\"podSelector\":{}");
        assertThat(policy.path("egress").findValuesAsText("port")).containsExactlyInAnyOrder("53", "53", "5432", "443");
    }

    @Test
    void everyPropertyIsDocumented() throws Exception {
        for (Map<String, String> values : List.of(SHARED, ALONE)) {
            assertThat(Project.documentedProperties())
                    .containsAll(properties(rendered(values)).stringPropertyNames());
        }
        assertThat(properties(rendered(SHARED)))
                .containsEntry("anabranch.cache.size", "256M")
                .containsEntry("anabranch.tls.certificate", "/etc/anabranch/tls/tls.crt")
                .containsEntry("anabranch.store.postgresql.password-file", "/etc/anabranch/database/password");
    }

    @Test
    void theRulesLieWhereTheServiceReadsThem() throws Exception {
        Map<String, JsonNode> objects = rendered(SHARED);
        Path file = Path.of(properties(objects).getProperty("anabranch.authorization.rules"));

        assertThat(container(objects).path("volumeMounts").findValuesAsText("mountPath"))
                .contains(file.getParent().toString());
        assertThat(Project.yaml(objects.get("ConfigMap")
                        .path("data")
                        .path(file.getFileName().toString())
                        .asText()))
                .hasToString("[{\"rules\":[{\"allow\":\"all\"}]}]");
        assertThat(properties(objects)).containsEntry("anabranch.authorization.type", "rules");
        assertThat(properties(rendered(ALONE))).doesNotContainKey("anabranch.authorization.type");
    }

    @Test
    void everyMountHasItsVolume() {
        for (Map<String, String> values : List.of(SHARED, ALONE)) {
            Map<String, JsonNode> objects = rendered(values);
            assertThat(container(objects).path("volumeMounts").findValuesAsText("name").stream()
                            .collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(
                            StreamSupport.stream(pod(objects).path("volumes").spliterator(), false)
                                    .map(volume -> volume.path("name").asText())
                                    .toList());
        }
    }

    @Test
    void whatIsMissingOrOpenIsToldBeforeAnythingIsInstalled() {
        assertThatThrownBy(() -> rendered(Map.of()))
                .hasMessageContaining("store.postgresql.url must name the database");
        assertThatThrownBy(() -> rendered(Map.of("store.type", "memory")))
                .hasMessageContaining("it must be postgresql or embedded");
        assertThatThrownBy(() -> rendered(Map.of("store.type", "embedded", "authentication.type", "none")))
                .hasMessageContaining("set authentication.openToNetwork");
    }
}
