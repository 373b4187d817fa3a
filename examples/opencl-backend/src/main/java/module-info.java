/** A backend of device arenas over OpenCL. */
module com.example.opencl {
    requires transitive io.devicearena;

    exports com.example.opencl;

    provides io.devicearena.spi.DeviceArenaProvider with
            com.example.opencl.OpenClProvider;
}
