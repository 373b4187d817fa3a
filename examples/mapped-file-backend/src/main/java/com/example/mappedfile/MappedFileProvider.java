package com.example.mappedfile;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceException;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The provider {@code mapped-file}: each arena is a file of its own, mapped into memory, and gone when the arena is
 * closed or the process ends. {@link MappedFiles} opens arenas whose file stays.
 *
 * <p>The system property {@value #FOLDER_PROPERTY} names the folder of the files; without it they are in the
 * system's folder for temporary files.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class MappedFileProvider implements DeviceArenaProvider {
    /** The system property that names the folder where arenas are put. */
    public static final String FOLDER_PROPERTY = "mappedfile.folder";

    static final String NAME = "mapped-file";

    private final Opening opening;

    /** Makes the provider; {@link java.util.ServiceLoader} does. */
    public MappedFileProvider() {
        this(MappedFileProvider::temporary);
    }

    MappedFileProvider(Opening opening) {
        this.opening = opening;
    }

    /** Opens the file of an arena. */
    interface Opening {
        ArenaFile open(MemoryPlan plan, ArenaGeometry geometry);
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        String folder = folder();
        try {
            return new Availability.Ready(List.of(Folders.device(Path.of(folder))));
        } catch (IOException
                | RuntimeException e) { // an invalid path, or a folder that is missing or unreadable
            return new Availability.Missing(
                    ("folder '" + folder + "': expected one that can be written, got " + e).replaceAll("\\R", " "),
                    "create it, or name another with -D" + FOLDER_PROPERTY + "=FOLDER");
        }
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        if (!device.provider().equals(NAME)) {
            throw new IllegalArgumentException("device: expected one of provider '" + NAME + "', got '" + device.name()
                    + "' of provider '" + device.provider() + "'; pass what probe() lists");
        }
        return new MappedFileBackend(opening.open(plan, ArenaGeometry.of(plan, options, device)));
    }

    private static ArenaFile temporary(MemoryPlan plan, ArenaGeometry geometry) {
        try {
            return ArenaFile.temporary(Path.of(folder()), geometry.sizeBytes());
        } catch (IOException e) {
            throw new DeviceException("folder '" + folder() + "': expected a new file to map, got " + e, e);
        }
    }

    private static String folder() {
        return System.getProperty(FOLDER_PROPERTY, System.getProperty("java.io.tmpdir"));
    }
}
