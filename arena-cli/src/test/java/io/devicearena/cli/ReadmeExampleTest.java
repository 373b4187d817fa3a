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
    void exampleCompilesAndRuns() throws IOException, InterruptedException {
        assertThat(run("README.md", "FirstEngine"))
                .matches("\\d+ bytes on .+, y = \\[2\\.0, 4\\.0, 0\\.0, 8\\.0, 10\\.0\\]");
        assertThat(Files.readString(folder.resolve("FirstEngine.java")))
                .isEqualTo(Files.readString(Path.of("../examples/first-engine/src/main/java/FirstEngine.java")));
    }

    @Test
    void exampleOfFreeDimensions_compilesAndRuns() throws IOException, InterruptedException {
        assertThat(run("docs/planning.md", "Tokens")).isEqualTo("1156 of 1179648 bytes");
    }

    @Test
    void exampleOfConcatenations_compilesAndRuns() throws IOException, InterruptedException {
        assertThat(run("docs/engine-guide.md", "Joined")).isEqualTo("31.0, copied 0 of 2 parts");
    }

    /** Runs the block of Java in a document that has a class. */
    private String run(String document, String name) throws IOException, InterruptedException {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", document)));
        String found = "";
        while (!found.contains("class " + name) && block.find()) {
            found = block.group(1);
        }
        assertThat(found).as("a Java block in " + document).contains("class " + name);
        Path source = Files.writeString(folder.resolve(name + ".java"), found);

        assertThat(Compiler.compile(source, folder)).isEmpty();

        ChildProcess.Result result = ChildProcess.java(
                folder, List.of("-cp", folder + File.pathSeparator + ChildProcess.runtimePath(), name));
        assertThat(result.err()).isEmpty();
        return result.out().strip();
    }
}
