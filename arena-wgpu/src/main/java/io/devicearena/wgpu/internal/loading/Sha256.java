package io.devicearena.wgpu.internal.loading;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A SHA-256 digest as 64 lower-case hex digits. Threads: immutable. */
record Sha256(String hex) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    static Sha256 of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return ofCopied(in, OutputStream.nullOutputStream());
        }
    }

    /** Copies a stream to its end, and returns the digest of the copied bytes. */
    static Sha256 ofCopied(InputStream from, OutputStream to) throws IOException {
        DigestInputStream digested = new DigestInputStream(from, digest());
        digested.transferTo(to);
        return new Sha256(HexFormat.of().formatHex(digested.getMessageDigest().digest()));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            // every Java platform must have it
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return hex;
    }
}
