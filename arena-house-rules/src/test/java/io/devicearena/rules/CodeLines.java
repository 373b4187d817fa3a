package io.devicearena.rules;

import io.devicearena.rules.Repository.TextFile;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts lines of code: the lines of a Java source without blank lines and comments. Imports count. */
final class CodeLines {
    private static final String TEXT_BLOCK = "\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"";
    private static final String STRING = "\"(?:[^\"\\\\]++|\\\\.)*+\"";
    private static final String CHARACTER = "'(?:[^'\\\\]++|\\\\.)*+'";
    private static final String COMMENT = "//[^\n]*+|/\\*.*?\\*/";

    /** Whichever begins first hides what it contains. Literals are group 1. */
    private static final Pattern LITERAL_OR_COMMENT =
            Pattern.compile("(" + TEXT_BLOCK + "|" + STRING + "|" + CHARACTER + ")|" + COMMENT, Pattern.DOTALL);

    private static final Pattern MAIN_SOURCE = Pattern.compile("(arena-[a-z]+(?:-[a-z]+)*)/src/main/java/.*\\.java");

    private CodeLines() {}

    static int of(String source) {
        String code = LITERAL_OR_COMMENT
                .matcher(source)
                .replaceAll(found -> found.group(1) == null ? "" : Matcher.quoteReplacement(found.group()));
        return (int) code.lines().filter(line -> !line.isBlank()).count();
    }

    /** The lines of code of the main sources of each module that has some. */
    static Map<String, Integer> ofModules() {
        Map<String, Integer> lines = new TreeMap<>();
        for (TextFile file : Repository.textFiles()) {
            Matcher main = MAIN_SOURCE.matcher(file.path());
            if (main.matches()) {
                lines.merge(main.group(1), of(file.text()), Integer::sum);
            }
        }
        return lines;
    }
}
