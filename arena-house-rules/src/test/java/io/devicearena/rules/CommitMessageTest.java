package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hook {@code config/hooks/commit-msg}, run as git runs it. */
class CommitMessageTest {
    private static final String LONGEST = "planner: " + "x".repeat(72 - "planner: ".length());

    /** Older commits keep their subjects. */
    private static final String CHECKED_SINCE = "2026-11-26T00:00:00Z";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Add a rule",
                "planner: bound ejection by steps",
                "arena-wgpu, cli: pass the device on\n\nThe reason, with a full stop. Fixed lines of any length follow, and they may be long.",
                "Process two reads at once",
                "Embed the page",
                "wgpu: rename `le" + "nd` to map",
                "planner: name tellers, which is another word",
                "Merge branch 'main' into other, which may be as long as git makes it, however long that is.",
                "Revert \"Adds a thing.\"",
                "fixup! anything goes.",
                "Fix the message\n# a comment of git in the second line",
                "Grüße an alle: 72 characters are counted, not bytes, äöüäöüäöüäöüäöüäöüä",
            })
    void goodMessage_isAccepted(String message) throws Exception {
        assertThat(complaintsAbout(message)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Add a rule., 'subject: expected no full stop at its end'",
        "Added a rule, 'subject: expected an imperative such as ''Add'' or ''Fix'' first, got ''Added'''",
        "planner: adds a rule, 'subject: expected an imperative such as ''Add'' or ''Fix'' first, got ''adds'''",
        "wgpu: splitting a class, 'subject: expected an imperative such as ''Add'' or ''Fix'' first, got ''splitting'''",
        "'', 'expected a subject in the first line, got none'",
        // in two parts, as the words are banned here too
        "cli: say what the kit te" + "lls, 'subject: expected plain words, got ''te"
                + "lls''; write: reports, prints, says; listed by'",
        "wgpu: Give B" + "ack staging memory, 'subject: expected plain words, got ''give b"
                + "ack''; write: release, return'",
    })
    void badSubject_isRefusedWithTheRule(String message, String complaint) throws Exception {
        assertThat(complaintsAbout(message)).isEqualTo("commit message: " + complaint + "\n");
    }

    @Test
    void subject_of72Characters_isTheLongest() throws Exception {
        assertThat(complaintsAbout(LONGEST)).isEmpty();
        assertThat(complaintsAbout(LONGEST + "x"))
                .isEqualTo(
                        "commit message: subject: expected at most 72 characters, got 73; move the reason to the body\n");
    }

    @Test
    void secondLine_thatIsNotBlank_isRefused() throws Exception {
        assertThat(complaintsAbout("Add a rule\nand say more"))
                .isEqualTo("commit message: second line: expected none or a blank one, got 'and say more'\n");
    }

    /** The hook and {@link BannedWordsTest} read one list: its words for every file are those of subjects too. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("words")
    void bannedWord_inASubject_isRefusedWhereTheListSaysSo(String word, BannedWords.Entry entry) throws Exception {
        assertThat(complaintsAbout("Add " + word + " here"))
                .isEqualTo(
                        entry.paths().isEmpty()
                                ? "commit message: subject: expected plain words, got '" + word + "'; write: "
                                        + entry.instead() + "\n"
                                : "");
    }

    static Stream<Arguments> words() throws IOException {
        return BannedWords.parse(Files.readString(Repository.ROOT.resolve("config/banned-words.txt")))
                .entries()
                .stream()
                .flatMap(entry -> entry.words().stream().map(word -> Arguments.of(word, entry)));
    }

    /** A clone may not have the hook enabled. Git answers for as much of the history as the clone has. */
    @Test
    void subjects_ofRecentCommits_areAccepted() throws Exception {
        Path log = folder.resolve("log");
        assumeTrue(Files.exists(Repository.ROOT.resolve(".git")), "needs the history");
        Process git = new ProcessBuilder(
                        "git", "log", "--no-merges", "-n", "20", "--since=" + CHECKED_SINCE, "--format=%s")
                .directory(Repository.ROOT.toFile())
                .redirectOutput(log.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assumeTrue(git.waitFor() == 0, "git log failed");
        for (String subject : Files.readAllLines(log)) {
            assertThat(complaintsAbout(subject)).as(subject).isEmpty();
        }
    }

    /** Runs the hook on a message; returns what it prints, which is nothing when it accepts. */
    private String complaintsAbout(String message) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("message"), message + "\n");
        Path said = folder.resolve("said");
        ProcessBuilder hook = new ProcessBuilder(
                        "sh", Repository.ROOT.resolve("config/hooks/commit-msg").toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        hook.environment().put("LC_ALL", "C.UTF-8");
        int exit = hook.start().waitFor();
        String complaints = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(exit).isEqualTo(complaints.isEmpty() ? 0 : 1);
        return complaints;
    }
}
