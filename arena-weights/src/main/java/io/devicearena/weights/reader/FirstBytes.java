package io.devicearena.weights.reader;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Recognises a file of another format than the expected one by its first bytes: a placeholder that a failed download
 * left, an archive, or a text.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> version 1 of the pointer files of Git LFS; the file signatures of the formats.
 */
public final class FirstBytes {
    /** How many bytes are looked at; a Git LFS pointer is shorter. */
    public static final int MOST = 1024;

    private static final String POINTER = "version https://git-lfs.github.com/spec/v1";
    private static final String POINTER_SIZE = "\nsize ";
    private static final int MOST_SHOWN = 30;
    private static final int NEWEST_PICKLE = 5;

    private FirstBytes() {}

    /**
     * Recognises what lies in place of a file that was not fetched. No format of a model begins like that.
     *
     * @param begin the first bytes of a file, at most {@link #MOST}
     * @return what was expected and what is there, with the remedy; empty for all other files
     */
    public static Optional<String> placeholder(byte[] begin) {
        if (begin.length == 0 || (begin[0] > '<' && begin[0] != 'v')) { // most files of weights: no text is made
            return Optional.empty();
        }
        String text = new String(begin, StandardCharsets.UTF_8);
        if (text.startsWith(POINTER)) {
            int size = text.indexOf(POINTER_SIZE);
            return Optional.of(
                    (size < 0 ? "expected the file itself" : "expected a file of " + digits(text, size) + " bytes")
                            + ", got a Git LFS pointer: fetch the file with git lfs pull");
        }
        String page = text.replace("\uFEFF", "").stripLeading().toLowerCase(Locale.ROOT);
        return page.startsWith("<!doctype html") || page.startsWith("<html")
                ? Optional.of("expected the file itself, got a web page: the download failed or needs a login")
                : Optional.empty();
    }

    private static String digits(String text, int size) {
        int begin = size + POINTER_SIZE.length();
        int end = text.indexOf('\n', begin);
        return TensorSizes.escaped(text.substring(begin, end < 0 ? text.length() : end))
                .strip();
    }

    /**
     * Says what a file is, for a message that goes on after "got".
     *
     * @param begin the first bytes of a file that is not in the format that was asked for
     * @return a few words; empty if the bytes say nothing
     */
    public static Optional<String> describe(byte[] begin) {
        String bytes = new String(begin, StandardCharsets.ISO_8859_1);
        String known = "";
        if (bytes.isEmpty()) {
            known = "an empty file";
        } else if (bytes.startsWith("GGUF")) {
            known = "a GGUF file";
        } else if (bytes.startsWith("lmgg") || bytes.startsWith("fmgg") || bytes.startsWith("tjgg")) {
            known = "a GGML file of the time before GGUF; convert it to GGUF";
        } else if (bytes.startsWith("PK\3\4")) {
            known = "a zip archive, as PyTorch writes its files; unpack it, or convert the model to safetensors";
        } else if (bytes.charAt(0) == 0x80 && bytes.length() > 1 && bytes.charAt(1) <= NEWEST_PICKLE) {
            known = "a Python pickle, as old PyTorch files are; convert the model to safetensors";
        } else if (bytes.startsWith("\u001f\u008b") || bytes.startsWith("(\u00b5/\u00fd")) {
            known = "a compressed file; unpack it";
        } else if (bytes.startsWith("\u0089HDF")) {
            known = "an HDF5 file; convert the model to safetensors";
        } else if (isText(begin)) {
            known = "a text that begins with '" + shown(begin) + "'";
        }
        return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }

    private static boolean isText(byte[] begin) {
        for (byte unit : begin) {
            if ((unit >= 0 && unit < ' ' && unit != '\n' && unit != '\r' && unit != '\t') || unit == 0x7f) {
                return false;
            }
        }
        // the last character may be cut, so a replacement there is no fault
        int replaced = new String(begin, StandardCharsets.UTF_8).indexOf('\uFFFD');
        return replaced < 0 || replaced > MOST_SHOWN;
    }

    private static String shown(byte[] begin) {
        String line = new String(begin, StandardCharsets.UTF_8)
                .strip()
                .lines()
                .findFirst()
                .orElse("");
        return TensorSizes.escaped(line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…");
    }
}
