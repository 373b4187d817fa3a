package io.devicearena.cuda.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.devicearena.spi.Availability;
import io.devicearena.spi.Settings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The library of the CUDA driver, which the driver installs: no other artifact is needed.
 *
 * <p>Threads: immutable.
 */
public final class CudaLibrary {
    /** Never closed: the driver has threads of its own, so the library stays loaded until the process ends. */
    private static final Arena LOADED = Arena.ofShared();

    /** The system property with the path of another library. */
    public static final String PROPERTY = "devicearena.cuda.library";

    /** The oldest version of CUDA whose driver runs our kernels: their text is PTX 8.0. */
    private static final int OLDEST_VERSION = 12_000;

    private static final String OLDEST_DRIVER = "525";

    /** What to do where the library lacks, or lacks something. */
    public static final String INSTALL =
            "install the NVIDIA driver " + OLDEST_DRIVER + " or newer; in a container, run it with the NVIDIA runtime";

    private static final CudaLibrary OF_PROCESS = new CudaLibrary();

    private final Optional<Settings.Setting> path = Settings.ofProcess().find(PROPERTY);
    private final List<String> names = path.map(setting -> List.of(setting.value()))
            .orElse(
                    System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")
                            ? List.of("nvcuda.dll")
                            : List.of("libcuda.so.1", "libcuda.so"));
    private final SymbolLookup symbols;
    private final String file;

    /** Looks for the library. */
    private CudaLibrary() {
        SymbolLookup found = name -> Optional.empty();
        String where = "";
        for (String name : names) {
            try {
                found = load(name, path.isPresent());
                where = name;
                break;
            } catch (IllegalArgumentException e) {
                // the next name, or none
            }
        }
        symbols = found;
        file = where;
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load(String name, boolean isPath) {
        return isPath ? SymbolLookup.libraryLookup(Path.of(name), LOADED) : SymbolLookup.libraryLookup(name, LOADED);
    }

    /** The library of this process. */
    public static CudaLibrary ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Why it cannot be used, and what would change that; empty if it can.
     *
     * @throws UnsatisfiedLinkError if the library has no function for its version
     */
    public Optional<Availability.Missing> unusable() {
        if (!file.isEmpty()) {
            return tooOld();
        }
        return Optional.of(path.map(setting -> new Availability.Missing(
                        setting.source() + ": expected the library of the CUDA driver, got '" + setting.value()
                                + "', which does not load",
                        "correct the path, or unset it"))
                .orElseGet(() -> new Availability.Missing(
                        "no library of the CUDA driver: " + String.join(" and ", names) + " do not load", INSTALL)));
    }

    /** The name or the path that was loaded. */
    public String file() {
        return file;
    }

    /** The version, asked before any other function, since an old library lacks some of them. */
    private static Optional<Availability.Missing> tooOld() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment version = call.allocate(JAVA_LONG);
            int error = new DriverCall("cuDriverGetVersion").error(version.address(), 0, 0, 0, 0);
            int got = version.get(JAVA_INT, 0);
            if (error == 0 && got >= OLDEST_VERSION) {
                return Optional.empty();
            }
            return Optional.of(new Availability.Missing(
                    "the NVIDIA driver: expected support of CUDA " + versionText(OLDEST_VERSION) + " or newer, got "
                            + (error == 0 ? versionText(got) : "error " + error),
                    "install driver " + OLDEST_DRIVER + " or newer"));
        }
    }

    /** A version as people write it: 12.4 for 12040. */
    public static String versionText(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /** The address of a function. */
    MemorySegment function(String name) {
        return symbols.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError(
                        "'" + file + "': expected the library of the CUDA driver, got one without " + name));
    }
}
