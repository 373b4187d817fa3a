package io.devicearena.spi.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads small files of the system, which may be absent. Threads: static and stateless; safe for any thread. */
final class SystemFile {
    /** With so many digits at most, a few figures can be added. */
    private static final Pattern FIGURE = Pattern.compile("(?<name>\\w+):?\\s+(?<number>\\d{1,15})(?<kibi> kB)?");

    private SystemFile() {}

    /** The lines of a file; none if it cannot be read. Bytes that are not UTF-8 are replaced. */
    static List<String> lines(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException | RuntimeException e) {
            return List.of(); // without the figures the allocation itself decides
        }
    }

    /** The number in a file, or the other one if it has none, such as "max". */
    static long number(Path file, long unknown) {
        try {
            return lines(file).stream()
                    .findFirst()
                    .map(String::strip)
                    .map(Long::valueOf)
                    .orElse(unknown);
        } catch (NumberFormatException e) {
            return unknown;
        }
    }

    /** The numbers in a file that has a name and a number in each line. What is in kB is returned in bytes. */
    static Map<String, Long> figures(Path file) {
        Map<String, Long> figures = new HashMap<>();
        for (String line : lines(file)) {
            Matcher figure = FIGURE.matcher(line);
            if (figure.matches()) {
                long unit = figure.group("kibi") == null ? 1 : 1024;
                figures.putIfAbsent(figure.group("name"), unit * Long.parseLong(figure.group("number")));
            }
        }
        return figures;
    }
}
