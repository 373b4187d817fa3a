package io.devicearena.plan.text;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fields of a value in {@link PlanText}: role, type, shape, what it is a part of, and name. */
final class ValueFields {
    private static final String NONE = "-";

    private ValueFields() {}

    static String format(PlanValue value) {
        String shape = value.shape().isEmpty()
                ? NONE
                : value.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
        String partOf = value.partOf().map(id -> String.valueOf(id.value())).orElse(NONE);
        String name = value.name()
                .replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
        return label(value.role()) + "\t" + value.dtype().label() + "\t" + shape + "\t" + partOf + "\t" + name;
    }

    private static String label(NodeRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static PlanValue read(LineReader line) {
        NodeRole role = role(line, next(line, "role"));
        DType dtype = dtype(line, next(line, "type"));
        List<Long> shape = shape(line, next(line, "shape"));
        Optional<NodeId> partOf =
                next(line, "part of").equals(NONE) ? Optional.empty() : Optional.of(NodeId.of(line.number("part of")));
        next(line, "name");
        String name = unescaped(line, line.rawValue());
        try {
            return new PlanValue(name, role, dtype, shape, partOf);
        } catch (IllegalArgumentException e) {
            throw line.fault(String.valueOf(e.getMessage()));
        }
    }

    private static String next(LineReader line, String name) {
        if (!line.nextField()) {
            throw line.fault("expected a further field '" + name + "' after a tab");
        }
        return line.value();
    }

    private static NodeRole role(LineReader line, String text) {
        return Arrays.stream(NodeRole.values())
                .filter(role -> label(role).equals(text))
                .findFirst()
                .orElseThrow(() -> line.fault("role: expected one of "
                        + Arrays.stream(NodeRole.values())
                                .map(ValueFields::label)
                                .collect(Collectors.joining(", "))
                        + ", got '" + LineReader.shortened(text) + "'"));
    }

    private static DType dtype(LineReader line, String text) {
        try {
            return DType.parse(text);
        } catch (IllegalArgumentException e) {
            throw line.fault(String.valueOf(e.getMessage()));
        }
    }

    private static List<Long> shape(LineReader line, String text) {
        List<Long> shape = new ArrayList<>();
        for (String dimension : text.equals(NONE) ? new String[0] : text.split("x", -1)) {
            try {
                shape.add(Long.parseUnsignedLong(dimension));
            } catch (NumberFormatException e) {
                throw line.fault("shape: expected dimensions such as 2x3, or " + NONE + ", got '"
                        + LineReader.shortened(text) + "'");
            }
        }
        return shape;
    }

    private static String unescaped(LineReader line, String text) {
        StringBuilder name = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                name.append(c);
                continue;
            }
            int code = ++i < text.length() ? "tnr\\".indexOf(text.charAt(i)) : -1;
            if (code < 0) {
                throw line.fault("name: expected t, n, r or a backslash after a backslash, got '"
                        + LineReader.shortened(text) + "'");
            }
            name.append("\t\n\r\\".charAt(code));
        }
        return name.toString();
    }
}
