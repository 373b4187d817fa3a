package io.devicearena.conformance;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.spi.ToolProvider;

/** The Java of a message, pasted into a class, compiled and run. */
final class PastedSequence implements AutoCloseable {
    private static final List<String> IMPORTED = List.of(
            "io.devicearena.*",
            "java.lang.foreign.*",
            "java.nio.channels.*",
            "java.nio.file.*",
            "java.time.*",
            "java.util.*",
            "java.util.concurrent.*",
            "java.util.function.*");

    private static final String BEFORE = """
            public class Pasted implements Consumer<BiFunction<MemoryPlan, ArenaOptions, DeviceArena>> {
                private BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener;

                DeviceArena open(MemoryPlan plan, ArenaOptions options) {
                    return opener.apply(plan, options);
                }

                public void accept(BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener) {
                    this.opener = opener;
                    try {
                        run();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }

                void run() throws Exception {
            """;

    private final URLClassLoader loader;

    private PastedSequence(URLClassLoader loader) {
        this.loader = loader;
    }

    static PastedSequence compile(String message, Path folder) throws IOException {
        Path source = folder.resolve("Pasted.java");
        String imports = IMPORTED.stream().map(name -> "import " + name + ";\n").collect(joining());
        Files.writeString(source, imports + BEFORE + message.substring(message.indexOf('\n')) + "\n}\n}\n");
        StringWriter text = new StringWriter();
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        new PrintWriter(text),
                        new PrintWriter(text),
                        "-proc:none",
                        "-nowarn",
                        "-cp",
                        place(DeviceArena.class),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(code).as(() -> text + "\n" + message).isZero();
        return new PastedSequence(
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, PastedSequence.class.getClassLoader()));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of " + type, e);
        }
    }

    /** Runs it on arenas. */
    @SuppressWarnings("unchecked") // the class is the one above
    void run(BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener) {
        try {
            Object made = loader.loadClass("Pasted").getDeclaredConstructor().newInstance();
            ((Consumer<BiFunction<MemoryPlan, ArenaOptions, DeviceArena>>) made).accept(opener);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the pasted class", e);
        }
    }

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of the pasted class", e);
        }
    }
}
