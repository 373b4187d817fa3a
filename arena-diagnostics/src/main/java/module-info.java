/**
 * What watches arenas: checks of the execution, a memory report, events for the JDK Flight Recorder, and the places
 * where arenas were opened. It is found by ServiceLoader; start at {@link io.devicearena.diagnostics.MemoryReport} and
 * {@link io.devicearena.diagnostics.HostSteps}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena.diagnostics {
    requires static java.management;
    requires static jdk.jfr;
    requires static org.jspecify;
    requires transitive io.devicearena;

    exports io.devicearena.diagnostics;

    provides io.devicearena.spi.observation.ArenaObserver with
            io.devicearena.diagnostics.internal.DiagnosticObserver;
}
