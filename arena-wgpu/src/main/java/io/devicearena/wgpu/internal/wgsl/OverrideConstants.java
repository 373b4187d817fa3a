package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the {@code override} constants of a source by {@code const} declarations of their values: wgpu-native
 * refuses some expressions of a source that has override constants, and ends the process for others (naga 29.0.3).
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, section 7.2.2 (override declarations).
 */
final class OverrideConstants {
    private final WgslModule module;
    private final Map<String, Double> values;
    private final Set<String> used;
    final List<Edit> edits = new ArrayList<>();

    /**
     * Checks values.
     *
     * @param used the names that the entry point uses
     */
    OverrideConstants(WgslModule module, Set<String> used) {
        this.module = module;
        this.values = module.kernel.constants();
        this.used = used;
        List<String> names = module.named("override").stream()
                .map(each -> each.name().text())
                .sorted()
                .toList();
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("kernel '" + module.kernel.label()
                        + "': expected a constant that its source declares with override, one of " + names + ", got '"
                        + name + "'");
            }
        }
        module.named("override").forEach(this::replace);
    }

    private void replace(Named each) {
        ScalarType type = type(each);
        String literal = literal(each, type);
        edits.add(module.replace(each.keyword(), each.keyword(), "const"));
        for (Attribute attribute : each.attributes()) {
            edits.add(module.replace(attribute.all(), ""));
        }
        if (each.type() == null && type != null) {
            edits.add(new Edit(each.name().end(), each.name().end(), ": " + type.wgsl()));
        }
        Range initializer = each.value();
        if (literal != null && initializer != null && !initializer.isEmpty()) {
            edits.add(module.replace(initializer, literal));
        } else if (literal != null) {
            int semicolon = module.token(each.semicolon()).begin();
            edits.add(new Edit(semicolon, semicolon, " = " + literal));
        }
    }

    /** Returns the type of a constant, as declared or of its single literal, or null to leave it to the compiler. */
    private @Nullable ScalarType type(Named each) {
        Range declared = each.type();
        Range value = each.value();
        String name = each.name().text();
        if (declared != null && !declared.isEmpty()) {
            return ScalarType.of(module.text(module.resolved(declared)))
                    .orElseThrow(() -> module.error(
                            each.name(),
                            "expected bool, i32, u32, f32 or f16 for the constant '" + name + "', got "
                                    + module.text(declared)));
        }
        Optional<ScalarType> type = value != null && value.end() - value.begin() == 1
                ? ScalarType.ofLiteral(module.token(value.begin()))
                : Optional.empty();
        if (type.isEmpty() && (value == null || values.containsKey(name))) {
            throw module.error(
                    each.name(),
                    "expected a type for the constant '" + name + "', got none; write 'override " + name
                            + ": u32' or another type");
        }
        return type.orElse(null);
    }

    /** Returns the literal that replaces the default, or null to keep it. */
    private @Nullable String literal(Named each, @Nullable ScalarType type) {
        String name = each.name().text();
        Double value = values.get(name);
        if ((value == null && each.value() != null) || type == null) {
            return null;
        }
        if (value == null && used.contains(name)) {
            throw module.error(
                    each.name(),
                    "expected a value for the constant '" + name + "' of type " + type.wgsl()
                            + ", which has no default, got none; call withConstant");
        }
        // no other value suits code of other entry points as well: it is a valid length and divisor
        double literal = value == null ? 1 : value;
        return type.literal(literal)
                .orElseThrow(() -> module.error(
                        each.name(),
                        "expected " + type.expected + " for the constant '" + name + "' of type " + type.wgsl()
                                + ", got " + text(literal)));
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
