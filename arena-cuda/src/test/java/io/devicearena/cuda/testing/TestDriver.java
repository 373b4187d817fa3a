package io.devicearena.cuda.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The driver of {@code src/test/native}, which implements the calls of {@code libcuda} over host memory, and what tests
 * ask of it beside those calls. It is compiled once in each JVM.
 *
 * <p>Threads: safe for any thread.
 */
public final class TestDriver {
    /** Never closed: the driver's threads run until the process ends. */
    private static final Arena LOADED = Arena.ofShared();

    private static final Path SOURCES = Path.of("src", "test", "native").toAbsolutePath();
    private static final Path TARGET = Path.of("target", "testdriver").toAbsolutePath();

    private static @Nullable Path library;

    private TestDriver() {}

    /** The compiled driver; what happens without gcc, {@link #missing} says. */
    public static synchronized Path library() {
        if (library == null) {
            library = compile();
        }
        return library;
    }

    /**
     * Ends a test that this machine cannot run: as skipped, or as failed where {@code DEVICEARENA_REQUIRE} names
     * providers and not cuda. A machine that must have cuda runs other tests, on its GPU.
     */
    public static AssertionError missing(String what) {
        String required = System.getenv("DEVICEARENA_REQUIRE");
        if (required != null && !Arrays.asList(required.split("\\s*,\\s*")).contains("cuda")) {
            Assertions.fail("DEVICEARENA_REQUIRE is set, but this machine has no " + what);
        }
        Assumptions.abort("this machine has no " + what);
        return new AssertionError("both ways end the test");
    }

    private static Path compile() {
        try {
            Files.createDirectories(TARGET);
            return compile(TARGET.resolve("libtestdriver.so"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiles a driver with more options. */
    public static Path compile(Path compiled, String... options) {
        try {
            List<String> command = new ArrayList<>(List.of(
                    "gcc", "-shared", "-fPIC", "-O2", "-pthread", "-Wall", "-Werror", "-o", compiled.toString()));
            command.addAll(List.of(options));
            try (Stream<Path> files = Files.list(SOURCES)) {
                files.map(Path::toString)
                        .filter(name -> name.endsWith(".c"))
                        .sorted()
                        .forEach(command::add);
            }
            Process compiler;
            try {
                compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
            } catch (IOException e) {
                throw missing("gcc: " + e.getMessage());
            }
            String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (compiler.waitFor() != 0) {
                Assertions.fail("gcc does not compile the test driver:\n" + output);
            }
            return compiled;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Forgets rules, counters, holds and settings; what is open stays open. */
    public static void reset() {
        call("testdriver_reset", FunctionDescriptor.ofVoid());
    }

    /** Changes a setting: memory, devices, version, init_error, compute_mode, major or minor. */
    public static void set(String key, long value) {
        try (Arena arena = Arena.ofConfined()) {
            call("testdriver_set", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG), arena.allocateFrom(key), value);
        }
    }

    /**
     * Lets a call fail.
     *
     * @param name of the call
     * @param nth 1 for the next call, 0 for every one
     * @param code what it returns; a code that a kernel's fault has stays with the context
     */
    public static void fail(String name, int nth, int code) {
        try (Arena arena = Arena.ofConfined()) {
            call(
                    "testdriver_fail",
                    FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT),
                    arena.allocateFrom(name),
                    nth,
                    code);
        }
    }

    /** How often a call was made since the reset; {@code pageable}: copies of memory that is not page-locked. */
    public static long calls(String name) {
        return count("testdriver_calls", name);
    }

    /**
     * How many objects live: memory, host, registered, stream, event, module, graph, exec, context; {@code bytes} of
     * device memory; or {@code leaked}, those that were alive when their context was destroyed.
     */
    public static long live(String kind) {
        return count("testdriver_live", kind);
    }

    /** Holds the work of every stream until {@link #release}. */
    public static void hold() {
        call("testdriver_hold", FunctionDescriptor.ofVoid(ADDRESS), MemorySegment.NULL);
    }

    /** Lets the work of every stream go on. */
    public static void release() {
        call("testdriver_release", FunctionDescriptor.ofVoid(ADDRESS), MemorySegment.NULL);
    }

    /** Runs a kernel over host memory, outside of any stream; addresses are those of the host. */
    public static void run(String kernel, MemorySegment parameters, int gridX, int gridY, int blockX) {
        try (Arena arena = Arena.ofConfined()) {
            MemoryLayout[] layouts = {ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT};
            call(
                    "testdriver_run",
                    FunctionDescriptor.ofVoid(layouts),
                    arena.allocateFrom(kernel),
                    parameters,
                    gridX,
                    gridY,
                    blockX);
        }
    }

    private static long count(String function, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) call(function, FunctionDescriptor.of(JAVA_LONG, ADDRESS), arena.allocateFrom(name));
        }
    }

    @SuppressWarnings("restricted") // the test driver
    private static Object call(String name, FunctionDescriptor type, Object... arguments) {
        MethodHandle function = Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library(), LOADED).find(name).orElseThrow(), type);
        try {
            return function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(name, e);
        }
    }
}
