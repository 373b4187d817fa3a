/**
 * The conformance kit: the tests that every provider of device arenas must pass.
 *
 * <p>A backend author starts at {@link io.devicearena.conformance.DeviceArenaConformance}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena.conformance {
    requires static org.jspecify;
    requires io.devicearena.diagnostics;
    requires transitive io.devicearena;
    requires transitive org.junit.jupiter.api;
    requires static org.junit.platform.launcher;
    requires static org.junit.platform.reporting;
    requires java.logging;
    requires java.management;
    requires jdk.management;

    exports io.devicearena.conformance;
    exports io.devicearena.conformance.junit;
    exports io.devicearena.conformance.topics;
    exports io.devicearena.conformance.runner;

    // for JUnit alone, which instantiates the extensions
    opens io.devicearena.conformance to
            org.junit.platform.commons;
    opens io.devicearena.conformance.topics to
            org.junit.platform.commons;
    opens io.devicearena.conformance.runner to
            org.junit.platform.commons;

    uses io.devicearena.spi.DeviceArenaProvider;
}
