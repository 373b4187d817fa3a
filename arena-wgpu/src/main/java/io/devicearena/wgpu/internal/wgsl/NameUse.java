package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Constant;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Member;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Variable;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names of declarations that a function needs, directly or through others. A local name counts as the
 * declaration of the same name.
 *
 * <p>Threads: static and stateless.
 *
 * <p>Source: WGSL, section 10.1 (static access).
 */
final class NameUse {
    private NameUse() {}

    /** Returns the names that a function uses, with its own. */
    static Set<String> of(WgslModule module, String function) {
        Map<String, List<Range>> code = new HashMap<>();
        for (Function each : module.functions()) {
            List<Range> ranges = code(code, each.name());
            ranges.add(each.code());
            add(ranges, each.attributes());
        }
        for (Variable each : module.variables()) {
            add(code(code, each.name()), each.type());
        }
        for (Constant each : module.constants()) {
            add(code(code, each.name()), each.type());
            add(code(code, each.name()), each.value());
        }
        module.structs().forEach(struct -> {
            for (Member each : struct.members()) {
                add(code(code, struct.name()), each.attributes());
                add(code(code, struct.name()), each.type());
            }
        });
        module.aliases()
                .forEach((name, type) ->
                        code.computeIfAbsent(name, _ -> new ArrayList<>()).add(type));
        return reached(module, code, function);
    }

    private static List<Range> code(Map<String, List<Range>> code, WgslToken name) {
        return code.computeIfAbsent(name.text(), _ -> new ArrayList<>());
    }

    private static void add(List<Range> ranges, List<Attribute> attributes) {
        attributes.forEach(each -> ranges.add(each.arguments()));
    }

    private static void add(List<Range> ranges, @Nullable Range range) {
        if (range != null) {
            ranges.add(range);
        }
    }

    private static Set<String> reached(WgslModule module, Map<String, List<Range>> code, String from) {
        Set<String> reached = new HashSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (Range range : code.getOrDefault(open.pop(), List.of())) {
                for (int i = range.begin(); i < range.end(); i++) {
                    String name = module.token(i).text();
                    boolean member = i > 0 && module.is(i - 1, ".");
                    if (module.isName(i) && !member && code.containsKey(name) && reached.add(name)) {
                        open.push(name);
                    }
                }
            }
        }
        return reached;
    }
}
