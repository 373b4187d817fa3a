package io.devicearena.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A backend that a test writes as source: compiled, registered, and on the class path of {@code ./arena}. */
public final class SourceBackend {
    private final Path folder;

    private SourceBackend(Path folder) {
        this.folder = folder;
    }

    /**
     * Compiles a backend.
     *
     * @param providers the classes of its providers; the file has the name of the first one, or of the class around it
     */
    public static SourceBackend compile(Path folder, String source, String... providers) throws IOException {
        Path file = folder.resolve(providers[0].replaceFirst("\\$.*", "") + ".java");
        assertThat(Compiler.compile(folder, Files.writeString(file, source))).isEmpty();
        Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
        Files.write(services.resolve("io.devicearena.spi.DeviceArenaProvider"), List.of(providers));
        return new SourceBackend(folder);
    }

    /** Runs a command in this process, on a thread whose context loader sees the backend. */
    public Cli.Result inProcess(String... arguments) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return Cli.run(arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Runs commands one after the other in a process of its own, without the provider wgpu. */
    public ChildProcess.Result arena(List<String> javaOptions, List<List<String>> commands)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(javaOptions);
        options.add(CommandLines.NO_WGPU);
        List<String> java =
                CommandLines.javaOn(folder + File.pathSeparator + ChildProcess.runtimePathWithTests(), options);
        java.addAll(CommandLines.of(commands));
        return ChildProcess.java(folder, java);
    }
}
