package io.devicearena.wgpu.internal.loading;

import io.devicearena.wgpu.ffi.WgpuNative;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Loads one file into the process, if it is the library that the bindings were generated for.
 *
 * <p>A library that {@link System#load} loaded stays until the process ends, and the bindings find their functions in
 * it. So the file is first opened temporarily, and its version and its functions are checked. A wrong library is
 * unloaded again, and the next place can be tried.
 */
final class LibraryFile {
    private static final String VERSION_FUNCTION = "wgpuGetVersion";
    private static final String ADDRESS = "$address";

    private static final String ALLOW_NATIVE_ACCESS =
            "start Java with --enable-native-access=io.devicearena.wgpu (module path) or ALL-UNNAMED (class path)";

    /** What the loader says of files that it would load from elsewhere. */
    private static final List<String> OTHER_PLACE =
            List.of("Permission denied", "Operation not permitted", "already loaded in another classloader");

    private LibraryFile() {}

    /**
     * Loads the file.
     *
     * @throws UnusableLibraryException if it does not exist, is not a library of this platform, or has the wrong
     *     version
     */
    static void load(Path file, Platform platform) throws UnusableLibraryException {
        try {
            checkWhole(file, platform);
            try (Arena check = Arena.ofConfined()) {
                SymbolLookup symbols = open(file, check);
                checkVersion(file, symbols);
                checkFunctions(file, symbols);
                System.load(file.toString());
            }
            checkVersion(file, SymbolLookup.loaderLookup());
        } catch (IllegalCallerException e) {
            throw new UnusableLibraryException(ErrorText.of(e), ALLOW_NATIVE_ACCESS);
        } catch (UnsatisfiedLinkError e) {
            throw refused(file, e);
        } catch (IOException e) {
            throw new UnusableLibraryException(ErrorText.of(file, e));
        }
    }

    private static void checkWhole(Path file, Platform platform) throws IOException, UnusableLibraryException {
        if (!Files.exists(file)) {
            throw new UnusableLibraryException(file + ": no such file");
        }
        if (!Files.isRegularFile(file)) {
            throw new UnusableLibraryException(
                    file + ": expected a file, got a " + (Files.isDirectory(file) ? "folder" : "device or pipe"));
        }
        if (Files.size(file) == 0) {
            throw new UnusableLibraryException(file + ": the file is empty");
        }
        if (platform.os().equals(Platform.LINUX)) {
            ElfFile.check(file);
        }
    }

    private static SymbolLookup open(Path file, Arena check) throws UnusableLibraryException {
        try {
            return SymbolLookup.libraryLookup(file, check);
        } catch (IllegalArgumentException e) {
            // the exception has no reason; System.load fails for the same reason and reports it
            System.load(file.toString());
            throw new UnusableLibraryException(ErrorText.of(file, e));
        }
    }

    /** Why the system refused the file, and whether the place of the file is at fault. */
    static UnusableLibraryException refused(Path file, UnsatisfiedLinkError error) {
        String text = ErrorText.of(file, error);
        // the message of Linux for a file system that is mounted noexec
        if (text.contains("failed to map segment")) {
            return UnusableLibraryException.ofCache(text + "; is its file system mounted noexec?");
        }
        // rules of the system about where code may be; a file of one path belongs to one class loader
        return OTHER_PLACE.stream().anyMatch(text::contains)
                ? UnusableLibraryException.ofCache(text)
                : new UnusableLibraryException(text);
    }

    private static void checkVersion(Path file, SymbolLookup symbols) throws UnusableLibraryException {
        MemorySegment function = symbols.find(VERSION_FUNCTION)
                .orElseThrow(() -> new UnusableLibraryException(
                        file + ": the library has no function " + VERSION_FUNCTION + ", so it is not wgpu-native"));
        LibraryVersion version = new LibraryVersion(call(function));
        if (!version.equals(LibraryVersion.OF_BINDINGS)) {
            throw new UnusableLibraryException(
                    file + ": version: expected wgpu-native " + LibraryVersion.OF_BINDINGS + ", got " + version);
        }
    }

    private static int call(MemorySegment function) {
        MethodHandle handle =
                Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT));
        try {
            return (int) handle.invokeExact();
        } catch (Throwable e) {
            // a downcall without arguments throws nothing
            throw new AssertionError(e);
        }
    }

    private static void checkFunctions(Path file, SymbolLookup symbols) throws UnusableLibraryException {
        List<String> missing = functions().stream()
                .filter(name -> symbols.find(name).isEmpty())
                .toList();
        if (!missing.isEmpty()) {
            throw new UnusableLibraryException(file + ": the library reports the right version, but has no function "
                    + String.join(", ", missing));
        }
    }

    /** The C functions that the bindings call. Reflection does not run the class initializer. */
    static List<String> functions() {
        return Arrays.stream(WgpuNative.class.getMethods())
                .map(Method::getName)
                .filter(name -> name.endsWith(ADDRESS))
                .map(name -> name.substring(0, name.length() - ADDRESS.length()))
                .sorted()
                .toList();
    }
}
