package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public type says in one of four phrases which threads may use it. */
class JavadocTest {
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^ *public (?:(?:static|final|abstract|sealed|non-sealed) )*(?:class|interface|enum|record|@interface) (\\w+)",
            Pattern.MULTILINE);
    private static final Pattern THREADS = Pattern.compile("<b>Threads:</b>[^@]*?(?:immutable|safe for any thread"
            + "|confined to the thread that opened it|one thread at a time)");

    @ParameterizedTest
    @ValueSource(strings = {"arena-api", "arena-cpu"})
    void everyPublicTypeSaysWhichThreadsMayUseIt(String module) throws IOException {
        List<String> silent = new ArrayList<>();
        int types = 0;
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                Matcher type = PUBLIC_TYPE.matcher(source);
                while (type.find()) {
                    types++;
                    int comment = source.lastIndexOf("/**", type.start());
                    String javadoc = comment < 0 ? "" : source.substring(comment, type.start());
                    if (!THREADS.matcher(javadoc.replaceAll("\\s+\\*?\\s*", " "))
                            .find()) {
                        silent.add(file.getFileName() + ": " + type.group(1));
                    }
                }
            }
        }
        assertThat(types).isPositive();
        assertThat(silent).isEmpty();
    }
}
