/** A backend of device arenas over memory-mapped files. */
module com.example.mappedfile {
    requires transitive io.devicearena;
    requires io.devicearena.plan;

    exports com.example.mappedfile;

    provides io.devicearena.spi.DeviceArenaProvider with
            com.example.mappedfile.MappedFileProvider;
}
