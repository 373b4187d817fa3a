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

/** The example in the README compiles without a warning and prints what the README says. */
class ReadmeExampleTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void exampleCompilesAndRuns() throws IOException, InterruptedException {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(block.find()).as("a Java block in the README").isTrue();
        Path source = Files.writeString(folder.resolve("FirstEngine.java"), block.group(1));

        assertThat(Compiler.compile(source, folder)).isEmpty();

        ChildProcess.Result result = ChildProcess.java(
                folder, List.of("-cp", folder + File.pathSeparator + ChildProcess.runtimePath(), "FirstEngine"));
        assertThat(result.err()).isEmpty();
        assertThat(result.out().strip()).matches("\\d+ bytes on .+, x\\[4\\] = 5\\.0");
    }
}
