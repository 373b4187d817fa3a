package io.devicearena.onnx.internal.wire;

import io.devicearena.weights.file.MappedFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Says what a file is that stands in the place of another, as after a download that went wrong. */
public final class OtherFile {
    /** As many bytes as tell text from numbers. */
    private static final int BEGIN = 512;

    /** Fewer bytes are text by chance. */
    private static final int SHORTEST_TEXT = 8;

    private OtherFile() {}

    /** Returns what a file is, with the remedy if there is one; empty if its first bytes do not say it. */
    public static Optional<String> of(MappedFile file) {
        if (file.size() == 0) {
            return Optional.of("an empty file");
        }
        byte[] bytes = new byte[(int) Math.min(BEGIN, file.size())];
        file.read(0, ByteBuffer.wrap(bytes));
        String begin = new String(bytes, StandardCharsets.ISO_8859_1);
        String page = begin.replaceFirst("^(\u00EF\u00BB\u00BF)?\\s*", "").toLowerCase(Locale.ROOT);
        if (begin.startsWith("version https://git-lfs.github.com/")) {
            return Optional.of("a Git LFS pointer: fetch the file with git lfs pull");
        }
        if (page.startsWith("<!doctype html") || page.startsWith("<html")) {
            return Optional.of("an HTML page: download the file itself");
        }
        if (begin.startsWith("GGUF")) {
            return Optional.of("a GGUF file");
        }
        if (begin.startsWith("PK\3\4")) {
            return Optional.of("a zip archive: unpack it");
        }
        if (begin.startsWith("\u001F\u008B")) {
            return Optional.of("a gzip file: unpack it");
        }
        return begin.length() >= SHORTEST_TEXT && begin.chars().allMatch(OtherFile::isText)
                ? Optional.of("text")
                : Optional.empty();
    }

    private static boolean isText(int c) {
        return (c >= ' ' && c != 0x7F) || (c >= '\t' && c <= '\r');
    }
}
