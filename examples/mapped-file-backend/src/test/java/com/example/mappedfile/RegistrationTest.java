package com.example.mappedfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Found on the module path and, in an execution of its own, on the class path. */
class RegistrationTest {
    @Test
    void engineFindsTheProviderByName() {
        assertEquals(
                "mapped-file",
                DeviceArenas.choose(ArenaOptions.defaults().withProvider("mapped-file"))
                        .provider());
    }

    @Test
    void missingFolderIsReported(@TempDir Path folder) {
        Path none = folder.resolve("none");
        System.setProperty(MappedFileProvider.FOLDER_PROPERTY, none.toString());
        try {
            Availability.Missing missing =
                    assertInstanceOf(Availability.Missing.class, new MappedFileProvider().probe());
            assertEquals(
                    "folder '" + none + "': expected one that can be written, got"
                            + " java.nio.file.NotDirectoryException: " + none,
                    missing.reason());
            assertEquals("create it, or name another with -Dmappedfile.folder=FOLDER", missing.remedy());
        } finally {
            System.clearProperty(MappedFileProvider.FOLDER_PROPERTY);
        }
    }
}
