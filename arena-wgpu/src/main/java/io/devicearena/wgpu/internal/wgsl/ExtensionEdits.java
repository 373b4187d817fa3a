package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
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
    static List<Edit> of(WgslModule module, KernelFacts facts) {
        List<Edit> edits = new ArrayList<>();
        for (Range all : module.directives) {
            WgslToken keyword = module.token(all.begin());
            boolean enable = keyword.is("enable");
            List<String> kept = new ArrayList<>();
            boolean removes = false;
            for (int i = all.begin() + 1; i < all.end(); i++) {
                if (module.isName(i)) {
                    WgslToken name = module.token(i);
                    require(module, name, enable && name.is("f16"), facts.hasShaderF16(), "hasShaderF16");
                    require(module, name, enable && name.is("subgroups"), facts.hasSubgroups(), "hasSubgroups");
                    boolean known = enable
                            ? name.is("subgroups")
                            : facts.hasSubgroups() && SUBGROUP_FEATURES.contains(name.text());
                    removes |= known;
                    if (!known) {
                        kept.add(name.text());
                    }
                }
            }
            if (removes) {
                String rest = keyword.text() + " " + String.join(", ", kept) + ";";
                edits.add(module.replace(all, kept.isEmpty() ? "" : rest));
            }
        }
        return edits;
    }

    private static void require(WgslModule module, WgslToken name, boolean asked, boolean present, String fact) {
        if (asked && !present) {
            throw module.error(
                    name,
                    "expected a device with the extension '" + name.text() + "' (" + fact
                            + "), got one without; compile another source where " + fact + " is false");
        }
    }
}
