/** The provider {@code wgpu}: arenas on any GPU that wgpu-native reaches. */
@org.jspecify.annotations.NullMarked
module io.devicearena.wgpu {
    requires static jdk.jfr;
    requires static org.jspecify;
    requires transitive io.devicearena;

    exports io.devicearena.wgpu;
    exports io.devicearena.wgpu.kernel;
    exports io.devicearena.wgpu.natives;

    provides io.devicearena.spi.DeviceArenaProvider with
            io.devicearena.wgpu.WgpuDeviceArenaProvider;

    // a natives jar is a module of its own: this line is what resolves it on the module path
    uses io.devicearena.wgpu.natives.NativesBundle;
}
