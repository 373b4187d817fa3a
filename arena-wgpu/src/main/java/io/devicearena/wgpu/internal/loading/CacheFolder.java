package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The folder of a user's unpacked libraries, by the conventions of each system. Threads: immutable. */
record CacheFolder(Settings settings) {
    static final String PROPERTY = "devicearena.wgpu.cache";
    static final String MOVE_IT = "set -D" + PROPERTY + "=FOLDER (or " + Settings.variableOf(PROPERTY)
            + ") to a folder that you may write to, on a file system that is not mounted noexec";

    /** Whether the user names the folder; then no other one is used. */
    boolean isNamed() {
        return settings.find(PROPERTY).isPresent();
    }

    Path path() throws UnusableLibraryException {
        Optional<String> moved = settings.find(PROPERTY).map(Settings.Setting::value);
        String named = moved.orElseGet(this::userFolder);
        try {
            Path path = Path.of(named);
            if (moved.isEmpty()) {
                path = path.resolve("device-arena").resolve("wgpu");
                if (!path.isAbsolute()) {
                    throw UnusableLibraryException.ofCache(
                            "the cache folder: expected a home folder to keep it in, got '" + named + "'");
                }
            }
            return path.toAbsolutePath();
        } catch (InvalidPathException e) {
            throw UnusableLibraryException.ofCache(
                    "the cache folder: expected a path, got '" + named + "': " + e.getReason());
        }
    }

    private String userFolder() {
        String home = settings.property("user.home").orElse("");
        return switch (Platform.of(settings).os()) {
            case Platform.MACOS -> home + "/Library/Caches";
            case Platform.WINDOWS -> settings.variable("LOCALAPPDATA").orElse(home + "\\AppData\\Local");
            // XDG Base Directory Specification: a relative path is invalid and ignored
            default ->
                settings.variable("XDG_CACHE_HOME")
                        .filter(folder -> folder.startsWith("/"))
                        .orElse(home + "/.cache");
        };
    }
}
