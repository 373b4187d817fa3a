package io.devicearena.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The sizes of the dimensions that an ONNX file leaves open. */
final class DimensionOptions {
    @Option(
            names = "--dim",
            paramLabel = "NAME=N",
            description = "The size of a free dimension of an ONNX file, for example batch=1; x.0=1 for one without a"
                    + " name, the first of the input x.")
    private final List<String> dimensions = new ArrayList<>();

    /** The sizes by name. */
    Map<String, Long> sizes() {
        Map<String, Long> sizes = new LinkedHashMap<>();
        for (String text : dimensions) {
            int equals = text.lastIndexOf('=');
            if (equals < 1 || sizes.put(text.substring(0, equals), size(text, text.substring(equals + 1))) != null) {
                throw wrong(text);
            }
        }
        return sizes;
    }

    private static long size(String text, String number) {
        try {
            long size = Long.parseLong(number);
            if (size > 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            // refused below, as a size of 0
        }
        throw wrong(text);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "--dim: expected a name and a size of 1 or more, each name once, for example batch=1, got '" + text
                        + "'");
    }
}
