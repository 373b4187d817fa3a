package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Variable;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import io.devicearena.wgpu.kernel.KernelBinding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The variables of a source that are bindings.
 *
 * <p>Threads: static and stateless.
 *
 * <p>Source: WGSL, sections 7.3 (var declarations) and 12.3.2 (resource interface).
 */
final class BoundVariables {
    /** A variable and its binding. Threads: immutable. */
    record Bound(KernelBinding binding, Variable variable) {}

    private BoundVariables() {}

    /**
     * Returns the bindings in the order of their groups and numbers. Of variables with one number, which different
     * entry points may use, it returns the one that this entry point uses.
     *
     * @param used the names that the entry point uses
     */
    static List<Bound> of(KernelText kernel, WgslModule module, ConstantEvaluator constants, Set<String> used) {
        Map<List<Integer>, Bound> byNumber = new HashMap<>();
        for (Variable variable : module.variables()) {
            boolean bound = variable.attributes().stream()
                    .anyMatch(each -> each.name().equals("group") || each.name().equals("binding"));
            if (bound) {
                Bound each = bound(kernel, module, constants, variable);
                byNumber.merge(
                        List.of(each.binding().group(), each.binding().number()),
                        each,
                        (first, second) -> choose(kernel, used, first, second));
            }
        }
        List<Bound> all = new ArrayList<>(byNumber.values());
        all.sort(Comparator.comparingInt((Bound each) -> each.binding().group())
                .thenComparingInt(each -> each.binding().number()));
        return List.copyOf(all);
    }

    private static Bound choose(KernelText kernel, Set<String> used, Bound first, Bound second) {
        boolean usesFirst = used.contains(first.binding().name());
        boolean usesSecond = used.contains(second.binding().name());
        if (usesFirst && usesSecond) {
            throw kernel.error(
                    second.variable().name().begin(),
                    "'" + second.binding().name() + "': expected a binding of its own, got @group("
                            + second.binding().group() + ") @binding("
                            + second.binding().number() + "), which '"
                            + first.binding().name()
                            + "' has; choose another number");
        }
        return usesSecond ? second : first;
    }

    private static Bound bound(KernelText kernel, WgslModule module, ConstantEvaluator constants, Variable variable) {
        String name = variable.name().text();
        int group = number(kernel, module, constants, variable, "group");
        int number = number(kernel, module, constants, variable, "binding");
        Range space = variable.space();
        if (space.isEmpty() || !(module.is(space.begin(), "storage") || module.is(space.begin(), "uniform"))) {
            throw kernel.error(
                    variable.name().begin(),
                    "'" + name + "': expected a buffer, var<storage> or var<uniform>, got "
                            + (space.isEmpty() ? "a texture or sampler" : "var<" + module.text(space) + ">"));
        }
        KernelBinding.Access access = module.is(space.begin(), "uniform")
                ? KernelBinding.Access.UNIFORM
                : space.end() - space.begin() > 2 && module.is(space.begin() + 2, "read_write")
                        ? KernelBinding.Access.READ_WRITE
                        : KernelBinding.Access.READ;
        return new Bound(new KernelBinding(group, number, name, access), variable);
    }

    private static int number(
            KernelText kernel, WgslModule module, ConstantEvaluator constants, Variable variable, String attribute) {
        Range expression = variable.attributes().stream()
                .filter(each -> each.name().equals(attribute))
                .map(Attribute::arguments)
                .findFirst()
                .orElse(new Range(0, 0));
        OptionalLong number = expression.isEmpty() ? OptionalLong.empty() : constants.value(expression);
        if (number.isEmpty() || number.getAsLong() < 0 || number.getAsLong() > Integer.MAX_VALUE) {
            throw kernel.error(
                    expression.isEmpty()
                            ? variable.name().begin()
                            : module.token(expression.begin()).begin(),
                    "'" + variable.name().text() + "': expected a number for @" + attribute + ", got "
                            + (expression.isEmpty() ? "nothing" : module.text(expression))
                            + "; write the number itself");
        }
        return (int) number.getAsLong();
    }
}
