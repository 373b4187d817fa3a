/**
 * What engines and backends share: the arena, memory plans, typed casts, and the provider SPI.
 *
 * <p>An engine author starts at {@link io.devicearena.discovery.DeviceArenas} and {@link io.devicearena.DeviceArena};
 * a backend author at {@link io.devicearena.spi.DeviceArenaProvider}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena {
    requires static org.jspecify;

    exports io.devicearena;
    exports io.devicearena.cast;
    exports io.devicearena.discovery;
    exports io.devicearena.kernel;
    exports io.devicearena.spi;
    exports io.devicearena.spi.memory;
    exports io.devicearena.spi.observation;

    uses io.devicearena.spi.DeviceArenaProvider;
    uses io.devicearena.spi.observation.ArenaObserver;
}
