package io.devicearena.spi.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads small files of the system, which may be absent. Threads: static and stateless; safe for any thread. */
final class SystemFile {
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
        List<String> lines = lines(file);
        return lines.isEmpty() ? unknown : number(lines.getFirst(), unknown);
    }

    static long number(String text, long unknown) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return unknown;
        }
    }
}
