package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A temporary folder of this process, for a user without a cache folder. Its name is random and other users have no
 * permission, since they could replace the library. It is removed when the process ends. Threads: static and stateless;
 * safe for any thread.
 */
final class PrivateFolder {
    private PrivateFolder() {}

    /** Creates the folder in that of {@code java.io.tmpdir}. */
    static Path create(Settings settings) throws UnusableLibraryException {
        String temporary = settings.property("java.io.tmpdir").orElse("");
        try {
            Path parent = Path.of(temporary).toAbsolutePath();
            Path folder = Files.createTempDirectory(parent, "device-arena-", ownerOnly(parent));
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw UnusableLibraryException.ofCache(
                    "cannot unpack to a temporary folder in " + ErrorText.of(Path.of(temporary), e));
        } catch (InvalidPathException e) {
            throw UnusableLibraryException.ofCache(
                    "the temporary folder: expected a path, got '" + temporary + "': " + e.getReason());
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) {
        return parent.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(NativesCache.OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    /** Removes an unpacked library and its folder when the process ends, before the folder that was created. */
    static Path removedAtExit(Path library) {
        Path parent = library.getParent();
        if (parent != null) {
            parent.toFile().deleteOnExit();
        }
        library.toFile().deleteOnExit(); // the last one is removed first
        return library;
    }
}
