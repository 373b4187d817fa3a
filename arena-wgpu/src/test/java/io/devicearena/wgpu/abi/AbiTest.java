package io.devicearena.wgpu.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.testing.CCompiler;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.Needs;
import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated bindings, compared with what a C compiler reports for the headers of the library. */
class AbiTest {
    private static final Path GENERATED = Path.of("src", "generated", "java", "io", "devicearena", "wgpu", "ffi")
            .toAbsolutePath();
    private static final Path HEADERS = Path.of("target", "natives", "headers").toAbsolutePath();

    /** A declaration of a function or callback, as jextract copied it from the header. */
    private static final Pattern FUNCTION = Pattern.compile("\\* (.*?)\\b(wgpu\\w+)\\((.*)\\)$", Pattern.MULTILINE);

    private static final Pattern CALLBACK =
            Pattern.compile("\\* (typedef (\\w+) \\(\\*(\\w+)\\)\\((.*)\\))$", Pattern.MULTILINE);

    private static final String PRELUDE = """
            #include <stddef.h>
            #include <stdio.h>
            #include "webgpu.h"
            #include "wgpu.h"

            static const char *kind(int class) { // numbered in GCC's typeclass.h; 13 is a union
                return class == 5 ? "pointer" : class == 8 ? "real" : class == 12 || class == 13 ? "struct" : "integer";
            }
            #define TYPE(what, ...) \\
                printf("%s: %zu %s\\n", what, sizeof(__VA_ARGS__), kind(__builtin_classify_type(*(__VA_ARGS__ *)0)))
            #define STRUCT(s) printf("struct %s: %zu aligned to %zu\\n", #s, sizeof(s), _Alignof(s))
            #define FIELD(s, f) \\
                printf("field %s.%s: at %zu, %zu %s\\n", #s, #f, offsetof(s, f), sizeof(((s *)0)->f), \\
                    kind(__builtin_classify_type(((s *)0)->f)))
            #define CONSTANT32(c) printf("constant %s: %llx\\n", #c, (unsigned long long)(uint32_t)(c))
            #define CONSTANT64(c) printf("constant %s: %llx\\n", #c, (unsigned long long)(c))

            """;

    @TempDir
    Path folder;

    private final List<String> bindings = new ArrayList<>();
    private final StringBuilder declarations = new StringBuilder();
    private final StringBuilder statements = new StringBuilder();

    @Test
    void everyStructHasTheSizeAndTheFieldsOfTheHeaders() throws Exception {
        int structs = 0;
        for (Class<?> type : generated()) {
            Optional<Method> layout = method(type, "layout");
            if (layout.isPresent()) {
                struct(type.getSimpleName(), (GroupLayout) call(layout.get()));
                structs++;
            }
        }
        assertThat(structs).isEqualTo(50);
        compare();
    }

    @Test
    void everyConstantHasTheValueOfTheHeaders() throws Exception {
        List<Method> constants = Arrays.stream(WgpuNative.class.getMethods())
                .filter(method -> method.getName().startsWith("WGPU") && method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        assertThat(constants).hasSize(197);
        for (Method constant : constants) {
            boolean wide = constant.getReturnType() == long.class;
            long value = ((Number) call(constant)).longValue();
            statements
                    .append(wide ? "    CONSTANT64(" : "    CONSTANT32(")
                    .append(constant.getName())
                    .append(");\n");
            bindings.add(
                    "constant " + constant.getName() + ": " + Long.toHexString(wide ? value : value & 0xffff_ffffL));
        }
        compare();
    }

    @Test
    void everyCallbackHasTheSignatureOfTheHeaders() throws Exception {
        int callbacks = 0;
        for (Class<?> type : generated()) {
            Optional<Method> descriptor = method(type, "descriptor");
            if (descriptor.isPresent()) {
                Matcher text = CALLBACK.matcher(Files.readString(GENERATED.resolve(type.getSimpleName() + ".java")));
                assertThat(text.find()).as(type.getSimpleName()).isTrue();
                // the declaration of the header: if it differed, the compiler would refuse the second definition
                declarations.append(text.group(1)).append(";\n");
                signature(text.group(3), text.group(2), parameters(text.group(4), false), (FunctionDescriptor)
                        call(descriptor.get()));
                callbacks++;
            }
        }
        assertThat(callbacks).isEqualTo(8);
        compare();
    }

    @Test
    void everyFunctionHasTheSignatureOfTheHeadersAndIsInTheLibrary() throws Exception {
        if (WgpuLibrary.load() instanceof LoadResult.Failed failed) {
            throw Needs.missing("wgpu-native library: " + failed.reason());
        }
        Map<String, List<String>> texts = new TreeMap<>();
        Matcher text = FUNCTION.matcher(Files.readString(GENERATED.resolve("WgpuNative.java")));
        while (text.find()) {
            texts.put(text.group(2), List.of(text.group(1), text.group(3)));
        }
        assertThat(texts).hasSize(71);
        for (Map.Entry<String, List<String>> function : texts.entrySet()) {
            String name = function.getKey();
            String returned = function.getValue().get(0).strip();
            String taken = function.getValue().get(1);
            assertThat(SymbolLookup.loaderLookup().find(name)).as(name).isPresent();
            declarations
                    .append(returned)
                    .append(' ')
                    .append(name)
                    .append('(')
                    .append(taken)
                    .append(");\n");
            FunctionDescriptor descriptor = (FunctionDescriptor)
                    call(method(WgpuNative.class, name + "$descriptor").orElseThrow());
            signature(name, returned, parameters(taken, true), descriptor);
        }
        compare();
    }

    private void struct(String name, GroupLayout layout) {
        statements.append("    STRUCT(").append(name).append(");\n");
        bindings.add("struct " + name + ": " + layout.byteSize() + " aligned to " + layout.byteAlignment());
        for (MemoryLayout member : layout.memberLayouts()) {
            member.name().ifPresent(field -> {
                statements
                        .append("    FIELD(")
                        .append(name)
                        .append(", ")
                        .append(field)
                        .append(");\n");
                bindings.add("field " + name + "." + field + ": at "
                        + layout.byteOffset(PathElement.groupElement(field)) + ", " + describe(member));
            });
        }
    }

    private void signature(String name, String returned, List<String> parameters, FunctionDescriptor descriptor) {
        if (returned.equals("void")) {
            assertThat(descriptor.returnLayout()).as(name).isEmpty();
        } else {
            type(name + " returns", returned, descriptor.returnLayout().orElseThrow());
        }
        assertThat(descriptor.argumentLayouts()).as(name).hasSameSizeAs(parameters);
        for (int i = 0; i < parameters.size(); i++) {
            type(
                    name + " takes as " + i,
                    parameters.get(i),
                    descriptor.argumentLayouts().get(i));
        }
    }

    private void type(String what, String type, MemoryLayout layout) {
        statements
                .append("    TYPE(\"")
                .append(what)
                .append("\", ")
                .append(type)
                .append(");\n");
        bindings.add(what + ": " + describe(layout));
    }

    private static String describe(MemoryLayout layout) {
        String kind = switch (layout) {
            case AddressLayout pointer -> "pointer";
            case ValueLayout.OfFloat real -> "real";
            case ValueLayout.OfDouble real -> "real";
            case GroupLayout group -> "struct";
            default -> "integer";
        };
        return layout.byteSize() + " " + kind;
    }

    private static List<String> parameters(String text, boolean named) {
        if (text.isBlank() || text.equals("void")) {
            return List.of();
        }
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(parameter -> named ? parameter.replaceFirst("\\w+$", "").strip() : parameter)
                .toList();
    }

    /** Compiles and runs the collected checks, and compares the output with the bindings. */
    private void compare() throws IOException, InterruptedException {
        if (!Files.exists(HEADERS.resolve("webgpu.h"))) {
            throw Needs.missing("headers of wgpu-native: they could not be fetched when this was built");
        }
        String source = PRELUDE + declarations + "\nint main(void) {\n" + statements + "    return 0;\n}\n";
        Path program = CCompiler.program(folder, "abi", source, List.of("-I" + HEADERS, "-Wno-attributes"));
        ChildProcess.Result compiled = ChildProcess.start(folder, Map.of(), List.of(program.toString()))
                .await();
        assertThat(compiled.exitCode()).isZero();
        List<String> headers = compiled.out().lines().toList();
        assertThat(headers).hasSameSizeAs(bindings);
        List<String> differences = IntStream.range(0, headers.size())
                .filter(i -> !headers.get(i).equals(bindings.get(i)))
                .mapToObj(i -> "bindings: " + bindings.get(i) + "; headers: " + headers.get(i))
                .toList();
        assertThat(differences).isEmpty();
    }

    private static List<Class<?>> generated() throws IOException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(GENERATED)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                types.add(Class.forName(WgpuNative.class.getPackageName() + "." + name));
            }
        }
        return types;
    }

    private static Optional<Method> method(Class<?> type, String name) {
        return Arrays.stream(type.getMethods())
                // a struct's field may have the same name; its getter takes the struct
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
                .findFirst();
    }

    private static Object call(Method method) throws IllegalAccessException, InvocationTargetException {
        return Objects.requireNonNull(method.invoke(null), method.getName());
    }
}
