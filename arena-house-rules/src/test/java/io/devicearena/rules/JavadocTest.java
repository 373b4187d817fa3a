package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.Repository.TextFile;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public type of an exported package says in one of four phrases which threads may use it. */
class JavadocTest {
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^ *public (?:(?:static|final|abstract|sealed|non-sealed) )*(?:class|interface|enum|record|@interface) (\\w+)",
            Pattern.MULTILINE);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+;)", Pattern.MULTILINE);
    private static final Pattern THREADS = Pattern.compile("<b>Threads:</b>[^@]*?(?:immutable|safe for any thread"
            + "|confined to the thread that opened it|one thread at a time)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "arena-api",
                "arena-planner",
                "arena-weights",
                "arena-onnx",
                "arena-cpu",
                "arena-cuda",
                "arena-diagnostics",
                "arena-wgpu",
                "arena-kernels",
                "arena-conformance"
            })
    void publicType_itsJavadoc_saysWhichThreadsMayUseIt(String module) {
        List<TextFile> sources = Repository.textFiles().stream()
                .filter(file -> file.isJava() && file.path().startsWith(module + "/src/main/java/"))
                .filter(file -> !file.path().contains("/internal/"))
                .toList();
        String exports = sources.stream()
                .filter(file -> file.path().endsWith("/module-info.java"))
                .map(TextFile::text)
                .collect(Collectors.joining());
        assertThat(sources).isNotEmpty();
        assertThat(sources.stream()
                        .filter(file -> exports.contains("exports " + packageOf(file)))
                        .flatMap(JavadocTest::silentTypes))
                .isEmpty();
    }

    private static String packageOf(TextFile file) {
        return PACKAGE.matcher(file.text())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining());
    }

    private static Stream<String> silentTypes(TextFile file) {
        return PUBLIC_TYPE
                .matcher(file.text())
                .results()
                .filter(type ->
                        !THREADS.matcher(javadocBefore(file.text(), type)).find())
                .map(type -> file.path() + ":" + file.lineAt(type.start(1)) + ": " + type.group(1));
    }

    private static String javadocBefore(String source, MatchResult type) {
        int comment = source.lastIndexOf("/**", type.start());
        return comment < 0 ? "" : source.substring(comment, type.start()).replaceAll("\\s+\\*?\\s*", " ");
    }
}
