package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Changes bindings that are {@code read} to {@code read_write}, and what depends on it: a {@code let} that states the
 * type of a pointer into such a binding is left to infer it.
 *
 * <p>Threads: static and stateless.
 *
 * <p>Source: WGSL, sections 6.4.3 (reference and pointer types) and 14.3 (address spaces).
 */
final class AccessEdits {
    private AccessEdits() {}

    /** Returns the edits that make some variables writable. */
    static List<Edit> of(WgslModule module, Collection<Named> promoted) {
        List<Edit> edits = new ArrayList<>();
        for (Named each : promoted) {
            edits.add(module.replace(each.space(), "storage, read_write"));
        }
        if (!edits.isEmpty()) {
            for (Function function : module.functions) {
                addPointerTypes(edits, module, function.code());
            }
        }
        return edits;
    }

    private static void addPointerTypes(List<Edit> edits, WgslModule module, Range code) {
        for (int i = code.begin(); i + 3 < code.end(); i++) {
            if (module.is(i, "let") && module.isName(i + 1) && module.is(i + 2, ":")) {
                Range type = new Range(i + 3, module.find(i + 3, Math.min(module.semicolon(i + 3), code.end()), "="));
                int pointer = module.resolved(type).begin();
                if (module.is(pointer, "ptr") && module.is(pointer + 2, "storage")) {
                    edits.add(module.replace(new Range(i + 2, type.end()), ""));
                }
            }
        }
    }
}
