package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Directive;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Removes the extensions from {@code enable} and {@code requires} that wgpu-native has without knowing their names.
 *
 * <p>Threads: static and stateless.
 *
 * <p>Source: WGSL, sections 4.1.1 (enable extensions) and 4.1.2 (language extensions).
 */
final class ExtensionEdits {
    /** Language extensions for the subgroup operations, which wgpu-native has as a device feature. */
    private static final Set<String> SUBGROUP_FEATURES = Set.of("subgroup_id", "subgroup_uniformity");

    private ExtensionEdits() {}

    /** Returns the edits, after a check that the device has what the source enables. */
    static List<Edit> of(KernelText kernel, WgslModule module, KernelFacts facts) {
        List<Edit> edits = new ArrayList<>();
        for (Directive directive : module.directives()) {
            boolean enable = directive.keyword().is("enable");
            List<WgslToken> names = new ArrayList<>();
            List<WgslToken> kept = new ArrayList<>();
            for (int i = directive.all().begin() + 1;
                    i < Math.min(directive.all().end(), module.tokenCount());
                    i++) {
                if (module.isName(i)) {
                    WgslToken name = module.token(i);
                    names.add(name);
                    require(kernel, name, enable && name.is("f16"), facts.hasShaderF16(), "hasShaderF16");
                    require(kernel, name, enable && name.is("subgroups"), facts.hasSubgroups(), "hasSubgroups");
                    if (!(enable
                            ? name.is("subgroups")
                            : facts.hasSubgroups() && SUBGROUP_FEATURES.contains(name.text()))) {
                        kept.add(name);
                    }
                }
            }
            if (!directive.keyword().is("diagnostic") && kept.size() < names.size()) {
                edits.addAll(remove(kernel, module, directive, names, kept));
            }
        }
        return edits;
    }

    private static void require(KernelText kernel, WgslToken name, boolean asked, boolean present, String fact) {
        if (asked && !present) {
            throw kernel.error(
                    name.begin(),
                    "expected a device with the extension '" + name.text() + "' (" + fact
                            + "), got one without; compile another source where " + fact + " is false");
        }
    }

    /** Blanks the removed names with one comma each, or the whole directive. */
    private static List<Edit> remove(
            KernelText kernel, WgslModule module, Directive directive, List<WgslToken> names, List<WgslToken> kept) {
        int begin = directive.keyword().begin();
        int end = module.endOf(directive.all().end() - 1);
        if (kept.isEmpty()) {
            return List.of(Edit.blank(kernel.wgsl(), begin, end));
        }
        List<Edit> edits = new ArrayList<>();
        boolean keptBefore = false;
        for (int i = 0; i < names.size(); i++) {
            WgslToken name = names.get(i);
            if (kept.contains(name)) {
                keptBefore = true;
            } else {
                // the comma before a name goes with it if a kept name is before it, else the comma after it
                int from = keptBefore ? names.get(i - 1).end() : name.begin();
                int to = keptBefore ? name.end() : names.get(i + 1).begin();
                edits.add(Edit.blank(kernel.wgsl(), from, to));
            }
        }
        return edits;
    }
}
