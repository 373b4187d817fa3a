package io.devicearena.conformance.runner;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The files beside this class. */
final class Resources {
    private Resources() {}

    static String text(String name) throws IOException {
        try (InputStream stream = Resources.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException(name + " is missing beside " + Resources.class.getName());
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
