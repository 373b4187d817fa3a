package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Constant;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the {@code override} constants of a source by {@code const} declarations of their values: wgpu-native
 * refuses some expressions of a source that has override constants.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, section 7.2.2 (override declarations).
 */
final class OverrideConstants {
    private final KernelText kernel;
    private final WgslModule module;
    private final Map<String, Double> values;
    private final Set<String> used;
    private final ConstantTypes types;
    private final List<Edit> edits = new ArrayList<>();

    /**
     * Checks values.
     *
     * @param used the names that the entry point uses
     */
    OverrideConstants(KernelText kernel, WgslModule module, Map<String, Double> values, Set<String> used) {
        this.kernel = kernel;
        this.module = module;
        this.values = values;
        this.used = used;
        this.types = new ConstantTypes(module);
        requireDeclared();
        requireDistinctIds();
        module.overrides().forEach(this::replace);
    }

    List<Edit> edits() {
        return edits;
    }

    private void requireDeclared() {
        Set<String> names =
                module.overrides().stream().map(each -> each.name().text()).collect(Collectors.toSet());
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("kernel '" + kernel.label()
                        + "': expected a constant that its source declares with override, one of "
                        + names.stream().sorted().toList() + ", got '" + name + "'");
            }
        }
    }

    private void requireDistinctIds() {
        Map<String, Constant> byId = new HashMap<>();
        for (Constant each : module.overrides()) {
            for (Attribute attribute : each.attributes()) {
                String id = module.text(attribute.arguments());
                Constant other = attribute.name().equals("id") ? byId.putIfAbsent(id, each) : null;
                if (other != null) {
                    throw kernel.error(
                            each.name().begin(),
                            "expected an @id of its own for the constant '"
                                    + each.name().text() + "', got @id(" + id + "), which '"
                                    + other.name().text() + "' has");
                }
            }
        }
    }

    private void replace(Constant each) {
        ScalarType type = type(each);
        edits.add(Edit.replace(
                kernel.wgsl(), each.keyword().begin(), each.keyword().end(), "const"));
        for (Attribute attribute : each.attributes()) {
            edits.add(Edit.blank(
                    kernel.wgsl(),
                    module.token(attribute.all().begin()).begin(),
                    module.endOf(attribute.all().end() - 1)));
        }
        String literal = literal(each, type);
        Range initializer = each.value();
        int name = each.name().end();
        if (each.type() == null && type != null) {
            edits.add(new Edit(name, name, ": " + type.wgsl()));
        }
        if (literal != null && initializer != null && !initializer.isEmpty()) {
            edits.add(Edit.replace(
                    kernel.wgsl(),
                    module.token(initializer.begin()).begin(),
                    module.endOf(initializer.end() - 1),
                    literal));
        } else if (literal != null) {
            int semicolon = module.token(each.semicolon()).begin();
            edits.add(new Edit(semicolon, semicolon, " = " + literal));
        }
    }

    /** Returns the type of a constant, or null if it is left to the compiler. */
    private @Nullable ScalarType type(Constant each) {
        Optional<ScalarType> type = types.of(each);
        Range declared = each.type();
        if (type.isEmpty() && declared != null && !declared.isEmpty()) {
            throw kernel.error(
                    module.token(declared.begin()).begin(),
                    "expected bool, i32, u32, f32 or f16 for the constant '"
                            + each.name().text() + "', got " + module.text(declared));
        }
        if (type.isEmpty()
                && (each.value() == null || values.containsKey(each.name().text()))) {
            throw kernel.error(
                    each.name().begin(),
                    "expected a type for the constant '" + each.name().text() + "', got none; write 'override "
                            + each.name().text() + ": u32' or another type");
        }
        return type.orElse(null);
    }

    /** Returns the literal that replaces the default, or null to keep it. */
    private @Nullable String literal(Constant each, @Nullable ScalarType type) {
        String name = each.name().text();
        Double value = values.get(name);
        if ((value == null && each.value() != null) || type == null) {
            return null;
        }
        if (value == null && used.contains(name)) {
            throw kernel.error(
                    each.name().begin(),
                    "expected a value for the constant '" + name + "' of type " + type.wgsl()
                            + ", which has no default, got none; call withConstant");
        }
        // no other value suits code of other entry points as well: it is a valid length and divisor
        double literal = value == null ? 1 : value;
        return type.literal(literal)
                .orElseThrow(() -> kernel.error(
                        each.name().begin(),
                        "expected " + type.expected() + " for the constant '" + name + "' of type " + type.wgsl()
                                + ", got " + text(literal)));
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
