package io.devicearena.kernels.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of the page on kernels is the step that is compiled and tested. */
class KernelsPageTest {
    private static final Path PAGE = Path.of("../docs/kernels.md");

    @ParameterizedTest
    @ValueSource(strings = {"clip.wgsl", "Clip.java", "ClipTest.java"})
    void textOfThePage_isThatOfTheFile(String name) throws IOException {
        String page = Files.readString(PAGE);
        Matcher link =
                Pattern.compile("\\[" + Pattern.quote(name) + "]\\(([^)]+)\\)").matcher(page);
        assertThat(link.find()).as("a link to %s", name).isTrue();
        String file = Files.readString(PAGE.resolveSibling(link.group(1)).normalize());
        Matcher text = Pattern.compile("```\\w+\\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(text.find(link.end()))
                .as("a text after the link to %s", name)
                .isTrue();
        assertThat(file)
                .endsWith(text.group(1))
                .satisfies(all -> assertThat(
                                all.substring(0, all.length() - text.group(1).length())
                                        .lines())
                        .allMatch(line -> line.isEmpty() || line.matches("(package|import) .*")));
    }
}
