/** The provider {@code cpu}: arenas in host memory. Nothing here is called by name; it is found by ServiceLoader. */
@org.jspecify.annotations.NullMarked
module io.devicearena.cpu {
    requires static org.jspecify;
    requires transitive io.devicearena;
    requires java.management;
    requires jdk.management;

    exports io.devicearena.cpu;

    provides io.devicearena.spi.DeviceArenaProvider with
            io.devicearena.cpu.CpuDeviceArenaProvider;
}
