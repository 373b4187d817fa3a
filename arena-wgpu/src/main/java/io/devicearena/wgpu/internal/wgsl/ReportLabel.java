package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place that a report of the compiler marks below a line of the source, with carets. Threads: immutable.
 *
 * @param line of the compiled text, 1 or more
 * @param cell how many cells of a terminal are before it in the line; a tab fills up to a multiple of 4
 * @param text what the report says about it
 */
record ReportLabel(int line, int cell, String text) {
    private static final Pattern HEADER = Pattern.compile("\\s*\u250c\u2500 .*:\\d+:\\d+");
    private static final int TAB = 4;

    /**
     * Returns the labels of a report, from top to bottom.
     *
     * @param lines the lines of the compiled text
     */
    static List<ReportLabel> of(String report, List<String> lines) {
        List<String> rows = report.lines().toList();
        for (int i = 0; i < rows.size(); i++) {
            if (HEADER.matcher(rows.get(i)).matches()) {
                return new Reader(lines, rows.get(i).indexOf('\u250c')).read(rows.subList(i + 1, rows.size()));
            }
        }
        return List.of();
    }

    /** The number of cells of a character, as the compiler counts them. */
    private static int cells(int character, int cell) {
        if (character == '\t') {
            return TAB - cell % TAB;
        }
        int type = Character.getType(character);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        boolean wide = Character.isIdeographic(character)
                || (character >= 0x1100 && character <= 0x115F)
                || (character >= 0x2E80 && character <= 0xA4CF)
                || (character >= 0xAC00 && character <= 0xD7A3)
                || (character >= 0xF900 && character <= 0xFAFF)
                || (character >= 0xFE30 && character <= 0xFE6F)
                || (character >= 0xFF00 && character <= 0xFF60)
                || (character >= 0xFFE0 && character <= 0xFFE6)
                || (character >= 0x1F300 && character <= 0x1FAFF);
        return wide ? 2 : 1;
    }

    /** Returns the column of the label, 1 or more. */
    int column(String line) {
        int cells = 0;
        int column = 1;
        for (int i = 0; i < line.length() && cells < cell; i += Character.charCount(line.codePointAt(i))) {
            cells += cells(line.codePointAt(i), cells);
            column++;
        }
        return column;
    }

    /** Reads the rows below the header of one report. Threads: one thread at a time. */
    private static final class Reader {
        private final List<String> lines;
        /** The column of the bar between line numbers and source. */
        private final int bar;

        private final List<ReportLabel> labels = new ArrayList<>();
        /** The beginnings of labels that end in a later line, by the column of their bar. */
        private final Map<Integer, ReportLabel> open = new HashMap<>();
        /** The width of the bars of such labels, before the source. */
        private int gutter;

        private int line;

        Reader(List<String> lines, int bar) {
            this.lines = lines;
            this.bar = bar;
        }

        List<ReportLabel> read(List<String> rows) {
            gutter = gutter(rows);
            for (String row : rows) {
                if (row.isBlank() || row.length() <= bar || row.strip().startsWith("= ")) {
                    break;
                }
                String number = row.substring(0, bar).strip();
                String body = row.length() > bar + 2 ? row.substring(bar + 2) : "";
                if (!number.isEmpty()) {
                    line = number.chars().allMatch(Character::isDigit) ? Integer.parseInt(number) : line;
                    openAtLineStart(body);
                } else if (line > 0) {
                    readMarks(body);
                }
            }
            return labels;
        }

        private int gutter(List<String> rows) {
            for (String row : rows) {
                String number = row.length() > bar + 2 ? row.substring(0, bar).strip() : "";
                if (!number.isEmpty() && number.length() < 9 && number.chars().allMatch(Character::isDigit)) {
                    int index = Integer.parseInt(number) - 1;
                    String text = index >= 0 && index < lines.size() ? expanded(lines.get(index)) : "";
                    int at = text.isBlank() ? -1 : row.indexOf(text.strip(), bar + 1);
                    if (at >= 0) {
                        return Math.max(0, at - (bar + 2) - leading(text));
                    }
                }
            }
            return 0;
        }

        private static int leading(String text) {
            return text.length() - text.stripLeading().length();
        }

        private static String expanded(String line) {
            StringBuilder expanded = new StringBuilder();
            int cell = 0;
            for (int i = 0; i < line.length(); i += Character.charCount(line.codePointAt(i))) {
                int here = line.codePointAt(i);
                int width = cells(here, cell);
                expanded.append(here == '\t' ? " ".repeat(width) : Character.toString(here));
                cell += width;
            }
            return expanded.toString();
        }

        private void openAtLineStart(String body) {
            int begin = body.lastIndexOf('\u256d', gutter - 1);
            if (begin >= 0 && line <= lines.size()) {
                open.put(begin, new ReportLabel(line, leading(expanded(lines.get(line - 1))), ""));
            }
        }

        private void readMarks(String body) {
            int begin = body.indexOf('\u256d');
            int finish = body.indexOf('\u2570');
            int caret = body.lastIndexOf('^');
            String text = text(body, caret + 1);
            if (begin >= 0 && caret >= 0) {
                open.put(begin, new ReportLabel(line, caret - gutter, ""));
            } else if (finish >= 0) {
                ReportLabel start = open.remove(finish);
                if (start != null && !text.isEmpty()) {
                    labels.add(new ReportLabel(start.line, start.cell, text));
                }
            } else if (caret >= 0) {
                int run = caret;
                while (run > 0 && body.charAt(run - 1) == '^') {
                    run--;
                }
                if (!text.isEmpty()) {
                    labels.add(new ReportLabel(line, run - gutter, text));
                }
            } else {
                addHanging(body);
            }
        }

        private static String text(String body, int from) {
            return from < body.length() ? body.substring(from).strip() : "";
        }

        /** A text that hangs below the beginning of its carets. */
        private void addHanging(String body) {
            Matcher text = Pattern.compile("[^\u2502 \u00b7].*").matcher(body);
            if (body.length() > gutter && text.find(gutter)) {
                labels.add(new ReportLabel(
                        line, text.start() - gutter, text.group().strip()));
            }
        }
    }
}
