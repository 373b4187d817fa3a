package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.rules.BannedWords.Hit;
import io.devicearena.rules.Repository.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Prose, comments, messages and names use the words of the glossary. */
class BannedWordsTest {
    private static final BannedWords BANNED = read();

    private static BannedWords read() {
        try {
            return BannedWords.parse(Files.readString(Repository.ROOT.resolve("config/banned-words.txt")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void repository_everyTextFile_hasNoBannedWord() {
        List<TextFile> files = Repository.textFiles();
        assertThat(files).extracting(TextFile::path).contains("README.md", "arena", "arena-api/pom.xml");
        String hits = files.stream()
                .flatMap(file -> BANNED.in(file).stream())
                .map(Hit::toString)
                .collect(Collectors.joining("\n"));
        assertThat(hits).isEmpty();
    }

    /** Each word is found wherever it may stand: the list has no entry that catches nothing. */
    @Nested
    class EachWord {
        static Stream<Arguments> words() {
            return BANNED.entries().stream()
                    .flatMap(entry -> entry.words().stream().map(word -> Arguments.of(word, entry)));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("words")
        void inProse_isFoundWithItsLineAndReplacement(String word, BannedWords.Entry entry) {
            TextFile file = file(entry, "README.md", "First line.\nHere `x` " + word + " y.\n");
            assertThat(found(file, entry)).containsExactly(new Hit(file.path(), 2, word, entry.instead()));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("words")
        void inCommentsAndLiterals_isFound(String word, BannedWords.Entry entry) {
            TextFile file = file(entry, "A.java", """
                    /** One WORD
                     * two. */
                    class A { // three WORD
                        String s = "WORD: \\nWORD"; char c = '"'; String t = \"""
                            a "WORD" b\""";
                    }
                    """.replace("WORD", word));
            assertThat(found(file, entry)).extracting(Hit::line).containsExactly(1, 3, 4, 4, 5);
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("words")
        void brokenOverTwoCommentLines_isFound(String word, BannedWords.Entry entry) {
            TextFile block = file(entry, "A.java", "/**\n * a " + word.replace(" ", "\n * ") + " b\n */\n");
            TextFile lines = file(entry, "run.sh", "# a " + word.replace(" ", "\n# ") + " b\n");
            assertThat(found(block, entry)).extracting(Hit::word).containsExactly(word);
            assertThat(found(lines, entry)).extracting(Hit::word).containsExactly(word);
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("words")
        void inNames_isFoundWhereTheEntrySaysSo(String word, BannedWords.Entry entry) {
            String[] parts = word.split(" ");
            String name = "a"
                    + Stream.of(parts)
                            .map(part -> Character.toUpperCase(part.charAt(0)) + part.substring(1))
                            .collect(Collectors.joining())
                    + "B";
            TextFile file = file(entry, "A.java", "class A {\n  int " + name + ";\n}\n");
            assertThat(found(file, entry))
                    .isEqualTo(entry.inNames() ? List.of(new Hit(file.path(), 2, name, entry.instead())) : List.of());
        }

        /** A file that the entry applies to. */
        private static TextFile file(BannedWords.Entry entry, String name, String text) {
            return new TextFile(entry.paths().isEmpty() ? name : entry.paths().getFirst() + name, text);
        }

        /** What that entry finds; a longer phrase may hold a word of another one. */
        private static List<Hit> found(TextFile file, BannedWords.Entry entry) {
            List<Hit> hits = new ArrayList<>(BANNED.in(file));
            hits.removeIf(hit -> !hit.instead().equals(entry.instead()));
            return hits;
        }
    }

    @Nested
    class Scope {
        private final BannedWords banned = BannedWords.parse("""
                # a comment
                @skipped = LICENSE
                @core = core/ docs/core.md
                foo, foo bar | baz
                qux          | quux | core names
                """);

        @Test
        void word_partOfAnother_isNotFound() {
            assertThat(banned.in(new TextFile("a.md", "food, buffoon, Foo-1, foo_2")))
                    .hasSize(1);
        }

        @Test
        void phrase_withCodeBetween_isNotFound() {
            assertThat(banned.in(new TextFile("A.java", "// a\nint foo = 1; // bar\nint foo; /* food */")))
                    .isEmpty();
        }

        @Test
        void entry_withPaths_appliesToThemOnly() {
            assertThat(banned.in(new TextFile("other/A.java", "int qux; // qux")))
                    .isEmpty();
            assertThat(banned.in(new TextFile("core/A.java", "int aQux; // qux")))
                    .hasSize(2);
            assertThat(banned.in(new TextFile("docs/core.md", "qux"))).hasSize(1);
        }

        @Test
        void skippedPath_isNotRead() {
            assertThat(banned.in(new TextFile("LICENSE", "foo"))).isEmpty();
        }
    }
}
