package io.devicearena.wgpu.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.testing.Needs;
import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a native image must know of this module, compared with the code. {@code -Ddevicearena.updateMetadata=true}
 * writes the file.
 */
class ReachabilityMetadataTest {
    private static final Path FILE =
            Path.of("src/main/resources/META-INF/native-image/io.devicearena/arena-wgpu/reachability-metadata.json");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path BINDINGS = Path.of("src/generated/java/io/devicearena/wgpu/ffi");
    private static final List<String> PLATFORMS = List.of(
            "linux_x86_64", "linux_aarch64", "macos_x86_64", "macos_aarch64", "windows_x86_64", "windows_aarch64");

    private static final Pattern STUB = Pattern.compile("(WGPU\\w+Callback)\\s*\\.allocate\\(");
    private static final Pattern LINKER = Pattern.compile("\\.(?:downcallHandle|upcallStub)\\(");

    @Test
    void linker_itsCallers_areThoseThatTheMetadataKnows() throws IOException {
        assertThat(sources()
                        .filter(file -> LINKER.matcher(read(file)).find())
                        .map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrder("LibraryFile.java", "Downcalls.java", "CallbackSlot.java");
    }

    @Test
    void metadata_itsDescriptors_areThoseOfTheBindings() throws Exception {
        if (WgpuLibrary.load() instanceof LoadResult.Failed failed) {
            throw Needs.missing("wgpu-native library: " + failed.reason());
        }
        String expected = metadata();
        if (Boolean.getBoolean("devicearena.updateMetadata")) {
            Files.writeString(FILE, expected);
        }
        assertThat(Files.readString(FILE))
                .as("call this test with -Ddevicearena.updateMetadata=true to write the file")
                .isEqualTo(expected);
    }

    private static String metadata() throws Exception {
        List<Class<?>> callbacks = callbacks();
        Set<String> downcalls = new TreeSet<>();
        for (Method method : WgpuNative.class.getMethods()) {
            if (method.getName().endsWith("$descriptor")) {
                downcalls.add(call((FunctionDescriptor) method.invoke(null)));
            }
        }
        Downcalls.descriptors().forEach(descriptor -> downcalls.add(call(descriptor)));
        downcalls.add(call(FunctionDescriptor.of(ValueLayout.JAVA_INT))); // LibraryFile reads the version
        Set<String> upcalls = new TreeSet<>();
        for (Class<?> callback : callbacks) {
            String descriptor =
                    call((FunctionDescriptor) callback.getMethod("descriptor").invoke(null));
            downcalls.add(descriptor); // the class of a callback makes a handle to call it too
            upcalls.add(descriptor);
        }
        return String.format(
                Locale.ROOT,
                """
                {
                  "reflection": [
                %s
                  ],
                  "resources": [
                %s
                  ],
                  "foreign": {
                    "downcalls": [
                %s
                    ],
                    "upcalls": [
                %s
                    ],
                    "directUpcalls": [
                %s
                    ]
                  }
                }
                """,
                lines(4, reflection(callbacks)),
                lines(4, resources()),
                lines(6, downcalls.stream()),
                lines(6, upcalls.stream()),
                lines(6, Stream.of(direct("byAddress", true), direct("inRegisters", false))));
    }

    private static Stream<String> reflection(List<Class<?>> callbacks) {
        return Stream.concat(
                // LibraryFile compares the names with the library's functions
                Stream.of("{\"type\": \"" + WgpuNative.class.getName() + "\", \"allPublicMethods\": true}"),
                callbacks.stream()
                        .map(type -> "{\"type\": \"" + type.getName() + "$Function\", \"allDeclaredMethods\": true}"));
    }

    private static Stream<String> resources() {
        return Stream.concat(
                Stream.of("{\"glob\": \"META-INF/natives/**\"}"),
                PLATFORMS.stream()
                        .map(platform -> "{\"module\": \"io.devicearena.wgpu.natives." + platform
                                + "\", \"glob\": \"META-INF/natives/**\"}"));
    }

    private static String direct(String method, boolean address) {
        return "{\"class\": \"" + CallbackSlot.class.getName() + "\", \"method\": \"" + method + "\", "
                + call(CallbackSlot.descriptor(address)).substring(1);
    }

    /** The callbacks that this module passes to the library. */
    private static List<Class<?>> callbacks() throws IOException, ClassNotFoundException {
        Set<String> names = sources()
                .flatMap(file -> STUB.matcher(read(file)).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(BINDINGS.resolve(name + ".java")).exists());
        Class<?>[] types = new Class<?>[names.size()];
        int i = 0;
        for (String name : names) {
            types[i++] = Class.forName("io.devicearena.wgpu.ffi." + name);
        }
        return Arrays.asList(types);
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String lines(int indent, Stream<String> entries) {
        return entries.map(entry -> " ".repeat(indent) + entry).collect(Collectors.joining(",\n"));
    }

    private static String call(FunctionDescriptor descriptor) {
        return "{\"returnType\": \""
                + descriptor.returnLayout().map(ReachabilityMetadataTest::type).orElse("void")
                + "\", \"parameterTypes\": ["
                + descriptor.argumentLayouts().stream()
                        .map(layout -> "\"" + type(layout) + "\"")
                        .collect(Collectors.joining(", "))
                + "]}";
    }

    /** A layout in the words of the metadata; types of fixed size, so that one file serves every platform. */
    private static String type(MemoryLayout layout) {
        return switch (layout) {
            case AddressLayout pointer -> "void*";
            case ValueLayout value -> "j" + value.carrier().getName().toLowerCase(Locale.ROOT);
            case StructLayout struct ->
                struct.memberLayouts().stream()
                        .map(ReachabilityMetadataTest::type)
                        .collect(Collectors.joining(", ", "struct(", ")"));
            case PaddingLayout padding -> "padding(" + padding.byteSize() + ")";
            default -> throw new AssertionError("no name for " + layout);
        };
    }
}
