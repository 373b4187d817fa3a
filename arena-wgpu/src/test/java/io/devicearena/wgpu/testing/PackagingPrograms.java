package io.devicearena.wgpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The programs of the build that pack natives. The build starts them from their sources, tests compile them once. */
public final class PackagingPrograms {
    private static final Path SOURCES = Path.of("src", "packaging", "java");

    private PackagingPrograms() {}

    /** Compiles them into a folder. */
    public static void compile(Path classes) throws IOException, InterruptedException {
        String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        List<String> command = new ArrayList<>(List.of(javac, "-J-XX:TieredStopAtLevel=1", "-d", classes.toString()));
        try (Stream<Path> files = Files.list(SOURCES)) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(command::add);
        }
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as("javac of " + SOURCES)
                .isZero();
    }
}
