package io.devicearena.wgpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The machine's C compiler. */
public final class CCompiler {
    private CCompiler() {}

    /** Compiles a shared library from source text; what the compiler objects to fails the test. */
    public static Path library(Path folder, String name, String source) throws IOException, InterruptedException {
        return library(folder, name, source, List.of());
    }

    /** Compiles a shared library from source text with more options, such as other libraries. */
    public static Path library(Path folder, String name, String source, List<String> options)
            throws IOException, InterruptedException {
        return compile(
                folder,
                name,
                source,
                Stream.concat(Stream.of("-shared", "-fPIC"), options.stream()).toList());
    }

    /** Compiles a program from source text; what the compiler objects to fails the test. */
    public static Path program(Path folder, String name, String source, List<String> options)
            throws IOException, InterruptedException {
        return compile(folder, name, source, options);
    }

    private static Path compile(Path folder, String name, String source, List<String> options)
            throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve(name + ".c"), source);
        Path compiled = folder.resolve(name);
        List<String> command = Stream.of(
                        List.of("gcc", "-std=gnu11", "-o", compiled.toString(), file.toString()), options)
                .flatMap(List::stream)
                .toList();
        ChildProcess compiler;
        try {
            compiler = ChildProcess.start(folder, Map.of(), command);
        } catch (IOException e) {
            throw Needs.missing("gcc: " + e.getMessage());
        }
        ChildProcess.Result result = compiler.await();
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return compiled;
    }
}
