package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Compiler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of whole programs in the documents compile without a warning and print what they say. */
class ReadmeExampleTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void examplesCompileAndRun() throws IOException, InterruptedException {
        Path all = Files.writeString(folder.resolve("All.java"), """
                final class All {
                    private All() {}

                    public static void main(String[] arguments) {
                        FirstEngine.main(arguments);
                        Tokens.main(arguments);
                        Joined.main(arguments);
                    }
                }
                """);
        assertThat(Compiler.compile(
                        folder,
                        all,
                        example("README.md", "FirstEngine"),
                        example("docs/planning.md", "Tokens"),
                        example("docs/engine-guide.md", "Joined")))
                .isEmpty();
        assertThat(Files.readString(folder.resolve("FirstEngine.java")))
                .isEqualTo(Files.readString(Path.of("../examples/first-engine/src/main/java/FirstEngine.java")));

        ChildProcess.Result result = ChildProcess.java(
                folder, List.of("-cp", folder + File.pathSeparator + ChildProcess.runtimePath(), "All"));
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        String[] said = result.out().split("\\R");
        assertThat(said).hasSize(3);
        assertThat(said[0]).matches("\\d+ bytes on .+, y = \\[2\\.0, 4\\.0, 0\\.0, 8\\.0, 10\\.0\\]");
        assertThat(said[1]).isEqualTo("1156 of 1179648 bytes");
        assertThat(said[2]).isEqualTo("31.0, copied 0 of 2 parts");
    }

    /** Writes the block of Java in a document that has a class. */
    private Path example(String document, String name) throws IOException {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", document)));
        String found = "";
        while (!found.contains("class " + name) && block.find()) {
            found = block.group(1);
        }
        assertThat(found).as("a Java block in " + document).contains("class " + name);
        return Files.writeString(folder.resolve(name + ".java"), found);
    }
}
