package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds the names that functions may read: each use but {@code name[i].member = value} and {@code arrayLength(&name)}.
 * A local name counts as the variable of the same name.
 *
 * <p>Threads: static and stateless.
 *
 * <p>Source: WGSL, sections 9.2.1 (simple assignment) and 17.4.1 (arrayLength).
 */
final class LoadUse {
    private LoadUse() {}

    /**
     * Returns the names that are read.
     *
     * @param used the names of the functions to look at, and others
     */
    static Set<String> of(WgslModule module, Set<String> used) {
        Set<String> read = new HashSet<>();
        for (Function function : module.functions) {
            if (used.contains(function.name().text())) {
                for (int i = function.code().begin(); i < function.code().end(); i++) {
                    if (module.isName(i) && !isAssigned(module, i) && !isMeasured(module, i)) {
                        read.add(module.token(i).text());
                    }
                }
            }
        }
        return read;
    }

    /** Whether a name, with its indices and members, is what an assignment writes to. */
    private static boolean isAssigned(WgslModule module, int name) {
        int next = name + 1;
        while (module.is(next, "[") || module.is(next, ".")) {
            next = module.is(next, "[") ? module.skip(next) : next + 2;
        }
        return module.is(next, "=") && !module.is(next + 1, "=");
    }

    private static boolean isMeasured(WgslModule module, int name) {
        return module.is(name - 1, "&") && module.is(name - 2, "(") && module.is(name - 3, "arrayLength");
    }
}
