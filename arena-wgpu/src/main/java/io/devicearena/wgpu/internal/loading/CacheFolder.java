package io.devicearena.wgpu.internal.loading;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Where a user's unpacked libraries lie, by the habits of each system. */
final class CacheFolder {
    static final String PROPERTY = "devicearena.wgpu.cache";
    static final String VARIABLE = "DEVICEARENA_WGPU_CACHE";
    static final String MOVE_IT = "set -D" + PROPERTY + "=FOLDER (or " + VARIABLE
            + ") to a folder that you may write to and whose file system is not mounted noexec";

    private final ProcessEnvironment surroundings;

    CacheFolder(ProcessEnvironment surroundings) {
        this.surroundings = surroundings;
    }

    Path path() throws UnusableLibraryException {
        Optional<ProcessEnvironment.Setting> moved = surroundings.setting(PROPERTY, VARIABLE);
        String named = moved.map(ProcessEnvironment.Setting::value).orElseGet(this::userFolder);
        try {
            Path path = Path.of(named);
            if (moved.isEmpty()) {
                path = path.resolve("device-arena").resolve("wgpu");
                if (!path.isAbsolute()) {
                    throw new UnusableLibraryException(
                            "the cache folder: expected a home folder to keep it in, got '" + named + "'", MOVE_IT);
                }
            }
            return path.toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UnusableLibraryException(
                    "the cache folder: expected a path, got '" + named + "': " + e.getReason(), MOVE_IT);
        }
    }

    private String userFolder() {
        String home = surroundings.property("user.home").orElse("");
        return switch (surroundings.platform().os()) {
            case Platform.MACOS -> home + "/Library/Caches";
            case Platform.WINDOWS -> surroundings.variable("LOCALAPPDATA").orElse(home + "\\AppData\\Local");
            // the XDG base directories: a relative one is to be ignored
            default ->
                surroundings
                        .variable("XDG_CACHE_HOME")
                        .filter(folder -> folder.startsWith("/"))
                        .orElse(home + "/.cache");
        };
    }
}
