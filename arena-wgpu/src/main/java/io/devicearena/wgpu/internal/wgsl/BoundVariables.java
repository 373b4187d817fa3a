package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
    record Bound(KernelBinding binding, Named variable) {}

    private BoundVariables() {}

    /** Returns the bindings of a source, whether the entry point uses them or not. */
    static List<Bound> of(WgslModule module, ConstantEvaluator constants) {
        return module.named("var").stream()
                .filter(variable -> variable.attributes().stream()
                        .anyMatch(each ->
                                each.name().equals("group") || each.name().equals("binding")))
                .map(variable -> bound(module, constants, variable))
                .toList();
    }

    /**
     * Returns the bindings that an entry point uses, in the order of their groups and numbers.
     *
     * @param used the names that the entry point uses
     */
    static List<Bound> used(WgslModule module, List<Bound> all, Set<String> used) {
        List<Bound> bound = all.stream()
                .filter(each -> used.contains(each.binding().name()))
                .sorted(Comparator.comparingInt((Bound each) -> each.binding().group())
                        .thenComparingInt(each -> each.binding().number()))
                .toList();
        for (int i = 1; i < bound.size(); i++) {
            KernelBinding first = bound.get(i - 1).binding();
            KernelBinding second = bound.get(i).binding();
            if (first.group() == second.group() && first.number() == second.number()) {
                throw module.error(
                        bound.get(i).variable().name(),
                        "'" + second.name() + "': expected a binding of its own, got @group(" + second.group()
                                + ") @binding(" + second.number() + "), which '" + first.name()
                                + "' has; choose another number");
            }
        }
        return bound;
    }

    private static Bound bound(WgslModule module, ConstantEvaluator constants, Named variable) {
        String name = variable.name().text();
        int group = number(module, constants, variable, "group");
        int number = number(module, constants, variable, "binding");
        Range space = variable.space();
        if (space.isEmpty() || !(module.is(space.begin(), "storage") || module.is(space.begin(), "uniform"))) {
            throw module.error(
                    variable.name(),
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

    private static int number(WgslModule module, ConstantEvaluator constants, Named variable, String attribute) {
        Optional<Range> expression =
                Attribute.arguments(variable.attributes(), attribute).filter(each -> !each.isEmpty());
        return expression
                .flatMap(constants::value)
                .filter(number -> number >= 0 && number <= Integer.MAX_VALUE)
                .orElseThrow(() -> module.error(
                        expression.map(each -> module.token(each.begin())).orElse(variable.name()),
                        "'" + variable.name().text() + "': expected a number for @" + attribute + ", got "
                                + expression.map(module::text).orElse("nothing") + "; write the number itself"))
                .intValue();
    }
}
