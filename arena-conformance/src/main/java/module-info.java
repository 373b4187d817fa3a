/** The conformance kit: the tests that every provider of device arenas must pass. */
@org.jspecify.annotations.NullMarked
module io.devicearena.conformance {
    requires static org.jspecify;
    requires transitive io.devicearena;
    requires transitive org.junit.jupiter.api;
}
