package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.Repository.TextFile;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that hold line by line for the sources people write. */
class SourceTest {
    private static final int LONGEST_LINE = 120;
    private static final Pattern COMMENT_LINE = Pattern.compile("\\s*(?://|/?\\*).*");

    private static final Pattern CLOCK = Pattern.compile(
            "\\b(?:nanoTime|currentTimeMillis|assertTimeout|assertTimeoutPreemptively|Clock\\.system\\w+|Instant\\.now)\\b");

    /** Test classes that may read a clock, each with the reason. */
    private static final Set<String> CLOCK_READERS = Set.of(
            // a mutated file must not hang its reader: each has two seconds
            "arena-weights/src/test/java/io/devicearena/weights/MutatedRealFilesTest.java",
            "arena-onnx/src/test/java/io/devicearena/onnx/MutatedRealModelsTest.java");

    private static final List<TextFile> SOURCES =
            Repository.textFiles().stream().filter(TextFile::isJava).toList();

    @Test
    void tests_theirCode_readsNoClock() {
        assertThat(SOURCES).anyMatch(TextFile::isTest);
        assertThat(SOURCES.stream()
                        .filter(TextFile::isTest)
                        .filter(file -> !CLOCK_READERS.contains(file.path()))
                        .flatMap(
                                file -> CLOCK.matcher(JavaSource.of(file.text()).code())
                                        .results()
                                        .map(found -> file.path() + ":" + file.lineAt(found.start()) + ": "
                                                + found.group() + "; a test waits for a condition or counts steps")))
                .isEmpty();
    }

    @Test
    void comments_theirLines_endAtTheColumnOfTheFormatter() {
        assertThat(SOURCES.stream().flatMap(SourceTest::longComments)).isEmpty();
    }

    private static Stream<String> longComments(TextFile file) {
        List<String> lines = file.text().lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).length() > LONGEST_LINE
                        && COMMENT_LINE.matcher(lines.get(i)).matches())
                .mapToObj(i -> file.path() + ":" + (i + 1) + ": expected at most " + LONGEST_LINE + " columns, got "
                        + lines.get(i).length());
    }
}
