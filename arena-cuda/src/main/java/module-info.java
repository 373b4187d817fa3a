/** The provider {@code cuda}: arenas on NVIDIA GPUs, through the library of their driver. */
@org.jspecify.annotations.NullMarked
module io.devicearena.cuda {
    requires static org.jspecify;
    requires transitive io.devicearena;

    exports io.devicearena.cuda;
    exports io.devicearena.cuda.kernel;

    provides io.devicearena.spi.DeviceArenaProvider with
            io.devicearena.cuda.CudaDeviceArenaProvider;
}
