package org.anabranch.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** An authority that vouches for certificates of {@code localhost} and {@code 127.0.0.1}, for an hour. */
public final class TestAuthority {

    private static final char[] NO_PASSWORD = {};

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    /**
     * A certificate with its key.
     *
     * @param certificate of somebody on this machine
     * @param keys that it is about
     */
    public record Issued(X509Certificate certificate, KeyPair keys) {

        /** Writes the certificate, in PEM. */
        public Path writeCertificate(Path file) throws IOException {
            return write(file, "CERTIFICATE", encoded(certificate));
        }

        /** Writes the key, in PEM. */
        public Path writeKey(Path file) throws IOException {
            return write(file, "PRIVATE KEY", keys.getPrivate().getEncoded());
        }
    }

    private TestAuthority(String name, KeyPair keys, X509Certificate certificate) {
        this.name = name;
        this.keys = keys;
        this.certificate = certificate;
    }

    /** A new authority, which nobody knows yet. */
    public static TestAuthority create(String name) {
        KeyPair keys = newKeys();
        return new TestAuthority(name, keys, certificate(name, keys, name, keys, true));
    }

    /** A new certificate for a server or a client of that name. */
    public Issued issue(String subject) {
        KeyPair subjectKeys = newKeys();
        return new Issued(certificate(subject, subjectKeys, name, keys, false), subjectKeys);
    }

    /** Writes the authority's own certificate, in PEM. */
    public Path write(Path file) throws IOException {
        return write(file, "CERTIFICATE", encoded(certificate));
    }

    /** A client that believes this authority alone, and shows a certificate if it has one. */
    public SSLContext client(@Nullable Issued own) {
        try {
            KeyStore trusted = emptyStore();
            trusted.setCertificateEntry(name, certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyStore shown = emptyStore();
            if (own != null) {
                shown.setKeyEntry("own", own.keys().getPrivate(), NO_PASSWORD, new Certificate[] {own.certificate()});
            }
            KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            key.init(shown, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Certificate certificate(
            String subject, KeyPair subjectKeys, String issuer, KeyPair issuerKeys, boolean isAuthority) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Principal("CN=" + issuer),
                new BigInteger(Long.SIZE, new SecureRandom()),
                Date.from(now.minus(Duration.ofMinutes(1))),
                Date.from(now.plus(Duration.ofHours(1))),
                new X500Principal("CN=" + subject),
                subjectKeys.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            if (!isAuthority) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                    new GeneralName(GeneralName.dNSName, "localhost"),
                    new GeneralName(GeneralName.iPAddress, "127.0.0.1")
                }));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(
                            new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate())));
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path write(Path file, String kind, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }
}
