package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Variable;
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
    private static final int MAX_ALIASES = 64;

    private AccessEdits() {}

    /** Returns the edits that make some variables writable. */
    static List<Edit> of(KernelText kernel, WgslModule module, Collection<Variable> promoted) {
        List<Edit> edits = new ArrayList<>();
        for (Variable each : promoted) {
            edits.add(replace(kernel, module, each.space(), "storage, read_write"));
        }
        if (!edits.isEmpty()) {
            for (Function function : module.functions()) {
                addPointerTypes(edits, kernel, module, function.code());
            }
        }
        return edits;
    }

    private static void addPointerTypes(List<Edit> edits, KernelText kernel, WgslModule module, Range code) {
        for (int i = code.begin(); i + 3 < code.end(); i++) {
            if (module.is(i, "let") && module.isName(i + 1) && module.is(i + 2, ":")) {
                Range type = new Range(i + 3, module.assign(i + 3, Math.min(module.statementEnd(i + 3), code.end())));
                if (isStoragePointer(module, type)) {
                    edits.add(Edit.blank(kernel.wgsl(), module.token(i + 2).begin(), module.endOf(type.end() - 1)));
                }
            }
        }
    }

    private static boolean isStoragePointer(WgslModule module, Range type) {
        Range resolved = type;
        for (int i = 0; i < MAX_ALIASES && !resolved.isEmpty(); i++) {
            if (resolved.end() - resolved.begin() > 1) {
                return module.is(resolved.begin(), "ptr") && module.is(resolved.begin() + 2, "storage");
            }
            resolved = module.alias(module.token(resolved.begin()).text()).orElse(new Range(0, 0));
        }
        return false;
    }

    private static Edit replace(KernelText kernel, WgslModule module, Range range, String text) {
        return Edit.replace(kernel.wgsl(), module.token(range.begin()).begin(), module.endOf(range.end() - 1), text);
    }
}
