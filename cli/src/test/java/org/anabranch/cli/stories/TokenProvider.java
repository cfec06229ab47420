package org.anabranch.cli.stories;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A provider of tokens on a free loopback port, with the addresses of a Keycloak's realm {@code lake}: it gives each of its clients
 * tokens for {@code anabranch}, in the name of a service account, for a secret that all have in common.
 */
final class TokenProvider implements AutoCloseable {

    private static final String REALM = "/realms/lake";
    private static final String KEY = "1";
    private static final Duration LIFE = Duration.ofMinutes(5);

    private final KeyPair keys;
    private final String secret;
    private final Map<String, List<String>> roles;
    private final HttpServer server;

    /** @param roles of each client */
    TokenProvider(String secret, Map<String, List<String>> roles) throws IOException, GeneralSecurityException {
        this.secret = secret;
        this.roles = Map.copyOf(roles);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                REALM + "/.well-known/openid-configuration", exchange -> answer(exchange, 200, discovery()));
        server.createContext(REALM + "/keys", exchange -> answer(exchange, 200, publishedKeys()));
        server.createContext(REALM + "/protocol/openid-connect/token", this::giveToken);
        server.start();
    }

    /** The issuer of its tokens. */
    URI issuer() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + REALM);
    }

    private ObjectNode discovery() {
        return Http.JSON
                .createObjectNode()
                .put("issuer", issuer().toString())
                .put("jwks_uri", issuer() + "/keys")
                .put("authorization_endpoint", issuer() + "/protocol/openid-connect/auth")
                .put("token_endpoint", issuer() + "/protocol/openid-connect/token");
    }

    private ObjectNode publishedKeys() {
        ObjectNode all = Http.JSON.createObjectNode();
        all.putArray("keys")
                .addObject()
                .put("kid", KEY)
                .put("kty", "RSA")
                .put("use", "sig")
                .put("alg", "RS256")
                .put("n", base64(((RSAPublicKey) keys.getPublic()).getModulus().toByteArray()))
                .put("e", "AQAB");
        return all;
    }

    private void giveToken(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String basic = exchange.getRequestHeaders().getFirst("Authorization");
        if (basic != null) {
            String[] idAndSecret = new String(
                            Base64.getDecoder().decode(basic.substring("Basic ".length())), StandardCharsets.UTF_8)
                    .split(":", 2);
            form.put("client_id", idAndSecret[0]);
            form.put("client_secret", idAndSecret[1]);
        }
        String client = form.get("client_id");
        if (secret.equals(form.get("client_secret"))
                && "client_credentials".equals(form.get("grant_type"))
                && roles.containsKey(client)) {
            answer(
                    exchange,
                    200,
                    Http.JSON
                            .createObjectNode()
                            .put("access_token", token(client))
                            .put("token_type", "Bearer")
                            .put("expires_in", LIFE.toSeconds()));
        } else {
            answer(exchange, 401, Http.JSON.createObjectNode().put("error", "invalid_client"));
        }
    }

    private static Map<String, String> form(String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split("&")) {
            String[] nameAndValue = pair.split("=", 2);
            values.put(
                    nameAndValue[0], URLDecoder.decode(nameAndValue[nameAndValue.length - 1], StandardCharsets.UTF_8));
        }
        return values;
    }

    /** A new access token of a client's service account. */
    String token(String client) {
        ObjectNode claims = Http.JSON
                .createObjectNode()
                .put("iss", issuer().toString())
                .put("aud", "anabranch")
                .put("sub", client)
                .put("preferred_username", "service-account-" + client)
                .put("exp", Instant.now().plus(LIFE).getEpochSecond());
        ArrayNode groups = claims.putObject("realm_access").putArray("roles");
        roles.get(client).forEach(groups::add);
        String head = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + KEY + "\"}";
        String signed = base64(head.getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static void answer(HttpExchange exchange, int status, ObjectNode body) throws IOException {
        byte[] bytes = Http.JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
