package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.natives.NativesBundle;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tries the places where the library may be, in order, and collects why each one failed. Threads: one thread at a time.
 */
final class LibraryResolver {
    static final String PROPERTY = "devicearena.wgpu.library";

    private static final String LIBRARY_PATH = "java.library.path";

    private final Settings settings;
    private final NativesOnPath natives;
    private final Platform platform;
    private final String libraryName;
    private final Loader loader;
    private final List<Failure> failures = new ArrayList<>();

    LibraryResolver(Settings settings, NativesOnPath natives) {
        this(settings, natives, LibraryFile::load);
    }

    LibraryResolver(Settings settings, NativesOnPath natives, Loader loader) {
        this.loader = loader;
        this.settings = settings;
        this.natives = natives;
        this.platform = Platform.of(settings);
        this.libraryName = System.mapLibraryName("wgpu_native");
    }

    /** A place, and why no library was loaded from it. */
    private record Failure(String place, UnusableLibraryException why) {
        @Override
        public String toString() {
            return place + ": " + why.getMessage();
        }
    }

    /** Finds the file of a place. */
    private interface Locator {
        Path find() throws UnusableLibraryException;
    }

    /** Loads a file into the process. */
    interface Loader {
        void load(Path file, Platform platform) throws UnusableLibraryException;
    }

    /** Loads the first library that can be loaded. */
    LoadResult resolve() {
        Optional<Settings.Setting> named = settings.find(PROPERTY);
        if (named.isPresent()) {
            // a user who names a file wants no other one
            Settings.Setting setting = named.get();
            return attempt(setting.source(), () -> path(setting.value()))
                    .orElseGet(() -> failed("name a file with wgpu-native " + LibraryVersion.OF_BINDINGS + " for "
                            + platform + ", or leave the " + setting.source() + " unset to use the natives jar"));
        }
        return inNativesJars()
                .or(this::onLibraryPath)
                .orElseGet(() -> failed("put the natives-" + platform
                        + " jar of arena-wgpu on the class path or module path, or set -D" + PROPERTY
                        + "=FILE to a file with wgpu-native " + LibraryVersion.OF_BINDINGS));
    }

    /** Loads from the cache folder, or from a temporary one where the usual one cannot be written or executed. */
    private Optional<LoadResult> inNativesJars() {
        for (UnusableLibraryException broken : natives.broken()) {
            failures.add(new Failure("natives jar", broken));
        }
        List<NativesBundle> ours = natives.foundFor(platform);
        if (ours.isEmpty()) {
            failures.add(new Failure("natives jar", new UnusableLibraryException("none for " + platform)));
        }
        for (NativesBundle jar : ours) {
            CacheFolder cache = new CacheFolder(settings);
            Optional<LoadResult> loaded =
                    attempt("natives jar", () -> new NativesCache(cache.path()).unpacked(jar, libraryName));
            if (loaded.isEmpty() && !cache.isNamed() && failures.getLast().why().isOfCache()) {
                loaded = attempt(
                        "natives jar", () -> NativesCache.temporary(settings).unpackedUntilExit(jar, libraryName));
            }
            if (loaded.isPresent()) {
                return loaded;
            }
        }
        return Optional.empty();
    }

    private Optional<LoadResult> onLibraryPath() {
        List<String> folders = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(settings.property(LIBRARY_PATH).orElse(""))
                // as System.loadLibrary interprets it
                .map(folder -> folder.isEmpty() ? "." : folder)
                .distinct()
                .toList();
        List<String> without = new ArrayList<>();
        for (String folder : folders) {
            Path file;
            try {
                file = path(folder).resolve(libraryName);
            } catch (UnusableLibraryException e) {
                failures.add(new Failure(LIBRARY_PATH, e));
                continue;
            }
            if (!Files.exists(file)) {
                without.add(folder);
                continue;
            }
            Optional<LoadResult> loaded = attempt(LIBRARY_PATH, () -> file);
            if (loaded.isPresent()) {
                return loaded;
            }
        }
        if (!without.isEmpty()) {
            failures.add(new Failure(
                    LIBRARY_PATH,
                    new UnusableLibraryException("no " + libraryName + " in " + String.join(", ", without))));
        }
        return Optional.empty();
    }

    private Optional<LoadResult> attempt(String place, Locator locator) {
        try {
            Path file = locator.find();
            loader.load(file, platform);
            return Optional.of(new LoadResult.Loaded(file, place, LibraryVersion.OF_BINDINGS));
        } catch (UnusableLibraryException e) {
            failures.add(new Failure(place, e));
            return Optional.empty();
        }
    }

    private static Path path(String text) throws UnusableLibraryException {
        try {
            return Path.of(text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UnusableLibraryException("expected a path, got '" + text + "': " + e.getReason());
        }
    }

    /**
     * Takes the remedy of the first failure that has one, since its place is the likely one; else the general remedy.
     */
    private LoadResult failed(String general) {
        String reason = "wgpu-native " + LibraryVersion.OF_BINDINGS + " did not load on " + platform
                + " (natives jars found: " + natives.platforms() + "): "
                + failures.stream().map(Failure::toString).collect(Collectors.joining("; "));
        String remedy = failures.stream()
                .map(failure -> failure.why().remedy)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(general);
        return new LoadResult.Failed(reason, remedy);
    }
}
