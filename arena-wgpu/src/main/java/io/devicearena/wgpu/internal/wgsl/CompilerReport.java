package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report of wgpu-native about a shader that it refuses: what is wrong, and where.
 *
 * <p>Threads: immutable.
 */
final class CompilerReport {
    /** The position of the report, after the name of the file: "wgsl", or the label of the shader. */
    private static final Pattern HEADER =
            Pattern.compile("\u250c\u2500 .*?:(\\d{1,9}):(\\d{1,9})\\s*\\R\\s*\u2502", Pattern.DOTALL);

    private static final Pattern PARSING = Pattern.compile("^.*?parsing error: ", Pattern.MULTILINE);
    private static final Pattern VALIDATION = Pattern.compile("^.*?Shader validation error: ", Pattern.MULTILINE);
    private static final String CAUSED_BY = "Caused by:";
    private static final String NODE = "naga::ir::";
    private static final int MAX_NOTES = 3;

    private final String report;
    private final String text;

    /**
     * Reads a report.
     *
     * @param report the text of the library
     * @param text the text that it was given
     */
    CompilerReport(String report, String text) {
        // the first report is the cause: the library then reports that what uses the shader is invalid too
        int second = report.indexOf("; Validation Error\n");
        this.report = second < 0 ? report : report.substring(0, second);
        this.text = text;
    }

    /** The report without line breaks. */
    String all() {
        int last = report.lastIndexOf(CAUSED_BY);
        return (last < 0 ? report : report.substring(last + CAUSED_BY.length()))
                .strip()
                .replaceAll("\\s*\\R\\s*", " ");
    }

    /** What is wrong, in the words of the compiler. */
    String message() {
        Matcher parsing = PARSING.matcher(report);
        Matcher validation = VALIDATION.matcher(report);
        List<String> parts = new ArrayList<>();
        Optional<String> label =
                best().map(ReportLabel::text).filter(each -> !each.startsWith(NODE) && !each.equals("see msg"));
        if (parsing.find()) {
            parts.add(lineFrom(parsing.end()));
        } else if (!validation.find()) {
            return all();
        } else if (label.isEmpty()) {
            parts.add(lineFrom(validation.end()));
        }
        label.ifPresent(parts::add);
        List<String> notes = report.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("= "))
                .map(line -> line.substring(2).replaceFirst("^note: ", ""))
                .toList();
        if (notes.size() <= MAX_NOTES) {
            parts.addAll(notes);
        }
        return String.join("; ", parts);
    }

    private String lineFrom(int index) {
        int end = report.indexOf('\n', index);
        return report.substring(index, end < 0 ? report.length() : end).strip();
    }

    /** The place as an index of the text, if the report has one. */
    OptionalInt index() {
        Matcher header = HEADER.matcher(report);
        if (!header.find()) {
            return OptionalInt.empty();
        }
        int line = Integer.parseInt(header.group(1));
        int column = Integer.parseInt(header.group(2));
        Optional<ReportLabel> label = best().filter(each -> each.line() >= 1 && isMoreExact(each));
        if (label.isPresent()) {
            line = label.get().line();
            column = label.get().column(text.lines().skip(line - 1L).findFirst().orElse(""));
        }
        return OptionalInt.of(SourcePosition.index(text, line, column));
    }

    /** Whether the report marks a whole function, whose first line the header has. */
    boolean marksFunction() {
        return best().map(each -> each.text().startsWith(NODE + "Function")).orElse(false);
    }

    /** Whether a label is a better place than the header: the header has that of the first label. */
    private boolean isMoreExact(ReportLabel label) {
        return VALIDATION.matcher(report).find() || rank(label) == 0;
    }

    private Optional<ReportLabel> best() {
        List<String> lines = text.lines().toList();
        return ReportLabel.of(report, lines).stream().min(Comparator.comparingInt(CompilerReport::rank));
    }

    /** What a label says: first what is wrong itself, then a part of the source, the smaller the better. */
    private static int rank(ReportLabel label) {
        String text = label.text();
        if (text.startsWith("redefinition of") || text.startsWith("cannot assign")) {
            return 0;
        }
        if (!text.startsWith(NODE)) {
            return 1;
        }
        return text.startsWith(NODE + "Expression") ? 2 : text.startsWith(NODE + "Function") ? 4 : 3;
    }
}
