package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.BoundVariables.Bound;
import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Variable;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.KernelSourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A source, checked as far as this package understands it, and the text that the compiler gets for it.
 *
 * <p>Threads: immutable.
 */
public final class WgslSource {
    /** A character that some editors put in front of a text. */
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final int MAX_TYPE_LENGTH = 60;

    private final KernelText kernel;
    private final WgslModule module;
    private final String entryPoint;
    private final List<Bound> bound;
    private final Set<List<Integer>> places;
    private final List<OptionalLong> sizes;
    private final List<Edit> edits;
    private final Set<String> used;

    private WgslSource(KernelSource source, KernelFacts facts) {
        this.kernel = KernelText.of(source);
        this.module = WgslModule.of(source.wgsl());
        this.entryPoint = chosen(source);
        this.used = NameUse.of(module, entryPoint);
        ConstantEvaluator constants = new ConstantEvaluator(module, source.constants());
        WgslLayout layout = new WgslLayout(module, constants);
        this.bound = BoundVariables.of(kernel, module, constants, used);
        this.places = BoundVariables.places(kernel, module, constants);
        this.sizes = bound.stream().map(each -> size(layout, each.variable())).toList();
        this.edits = new ArrayList<>(new OverrideConstants(kernel, module, source.constants(), used).edits());
        edits.addAll(ExtensionEdits.of(kernel, module, facts));
        if (!source.wgsl().isEmpty() && source.wgsl().charAt(0) == BYTE_ORDER_MARK) {
            edits.add(new Edit(0, 1, " "));
        }
        DeviceLimits limits = new DeviceLimits(kernel, module, facts, constants);
        limits.requireBindings(bound);
        limits.requireWorkgroupMemory(layout, used);
        module.function(entryPoint).ifPresent(limits::requireWorkgroupSize);
    }

    /**
     * Reads a source.
     *
     * @param facts what the device offers
     * @throws KernelSourceException if the source is wrong, needs more than the device offers, or a constant does not
     *     suit its declaration
     * @throws IllegalArgumentException if the source does not declare a constant or the entry point
     */
    public static WgslSource of(KernelSource source, KernelFacts facts) {
        return new WgslSource(source, facts);
    }

    private static OptionalLong size(WgslLayout layout, Variable variable) {
        Range type = variable.type();
        return type == null
                ? OptionalLong.empty()
                : layout.of(type).map(each -> OptionalLong.of(each.size())).orElse(OptionalLong.empty());
    }

    /** The function to run: the chosen one, or the only one. */
    private String chosen(KernelSource source) {
        List<String> all = module.entryPoints();
        String chosen = source.entryPoint();
        String names = "'" + String.join("', '", all) + "'";
        if (all.isEmpty()) {
            throw kernel.error(
                    module.functions().stream()
                            .findFirst()
                            .map(each -> each.name().begin())
                            .orElse(0),
                    "expected a @compute function in the source, got none");
        }
        if (chosen.isEmpty() && all.size() > 1) {
            throw new IllegalArgumentException("kernel '" + kernel.label()
                    + "': expected a choice between the @compute functions " + names
                    + ", got none; call withEntryPoint");
        }
        if (!chosen.isEmpty() && !all.contains(chosen)) {
            throw new IllegalArgumentException("kernel '" + kernel.label()
                    + "': expected one of the @compute functions " + names + ", got '" + chosen + "'");
        }
        return chosen.isEmpty() ? all.getFirst() : chosen;
    }

    /** The function to run. */
    public String entryPoint() {
        return entryPoint;
    }

    /** The bindings that the entry point uses, in the order of their groups and numbers. */
    public List<KernelBinding> bindings() {
        return bound.stream().map(Bound::binding).toList();
    }

    /** Whether the source declares a binding with these numbers, for this entry point or another one. */
    public boolean declares(int group, int number) {
        return places.contains(List.of(group, number));
    }

    /** Whether the entry point may read a binding: it does more with it than to assign to its elements. */
    public boolean loads(int binding) {
        return LoadUse.of(module, used)
                .contains(bound.get(binding).variable().name().text());
    }

    /** The least bytes of a binding; empty if its type is not understood. */
    public OptionalLong leastBytes(int binding) {
        return sizes.get(binding);
    }

    /** The type of a binding as the source has it, for messages. */
    public String type(int binding) {
        Range type = bound.get(binding).variable().type();
        String text = type == null ? "" : module.text(type).replaceAll("\\s+", " ");
        return text.length() <= MAX_TYPE_LENGTH ? text : text.substring(0, MAX_TYPE_LENGTH) + "...";
    }

    /**
     * Returns the text for the compiler.
     *
     * @param promoted the bindings, by their bits, that are compiled as read_write
     */
    public String text(long promoted) {
        return edited(promoted).text();
    }

    private WgslEdits edited(long promoted) {
        List<Variable> writable = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            if (((promoted >> i) & 1) == 1) {
                writable.add(bound.get(i).variable());
            }
        }
        List<Edit> all = new ArrayList<>(edits);
        all.addAll(AccessEdits.of(kernel, module, writable));
        return new WgslEdits(kernel.wgsl(), all);
    }

    /**
     * Makes the exception for an error of the compiler.
     *
     * @param promoted the bindings that were compiled as read_write
     * @param report the text of the library, with its lines
     */
    public KernelSourceException compileError(long promoted, String report, RuntimeException cause) {
        WgslEdits edited = edited(promoted);
        CompilerReport read = new CompilerReport(report, edited.text());
        OptionalInt found = read.index();
        int main = module.function(entryPoint)
                .map(Function::name)
                .map(WgslToken::begin)
                .orElse(0);
        int index = found.isEmpty() ? UnplacedErrors.index(module, report, main) : edited.original(found.getAsInt());
        if (found.isPresent() && read.marksFunction()) {
            index = UnplacedErrors.within(module, report).orElse(index);
        }
        KernelSourceException error = kernel.error(index, read.message());
        error.initCause(cause);
        return error;
    }
}
