package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

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
        Set<String> reached = new HashSet<>(Set.of(function));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            String from = open.pop();
            boolean struct = module.struct(from).isPresent();
            for (Range range : module.declarations(from)) {
                for (int i = range.begin(); i < range.end(); i++) {
                    String name = module.token(i).text();
                    boolean member =
                            module.is(i - 1, ".") || module.is(i - 1, "@") || (struct && module.is(i + 1, ":"));
                    if (!member && !module.declarations(name).isEmpty() && reached.add(name)) {
                        open.push(name);
                    }
                }
            }
        }
        return reached;
    }
}
