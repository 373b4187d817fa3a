package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.internal.wgsl.BoundVariables.Bound;
import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source, checked as far as this package understands it, and the text that the compiler gets for it.
 *
 * <p>Threads: immutable.
 */
public final class WgslSource {
    /** A character that some editors put in front of a text. */
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final int MAX_TYPE_LENGTH = 60;

    /** The first position in a report of the compiler, behind the name of a file, which may be any text. */
    private static final Pattern POSITION =
            Pattern.compile("\u250c\u2500 .*?:(\\d{1,9}):(\\d{1,9})\\s*\\R\\s*\u2502", Pattern.DOTALL);

    private final WgslModule module;
    private final String entryPoint;
    private final List<Bound> bound;
    private final List<Bound> declared;
    private final List<Optional<Long>> sizes;
    private final List<Edit> edits;
    private final Set<String> used;

    /**
     * Reads a source.
     *
     * @param facts what the device offers
     * @throws KernelSourceException if the source is wrong, needs more than the device offers, or a constant does not
     *     suit its declaration
     * @throws IllegalArgumentException if the source does not declare a constant or the entry point
     */
    public WgslSource(KernelSource source, KernelFacts facts) {
        this.module = WgslModule.of(source);
        this.entryPoint = chosen(source);
        this.used = module.namesOf(entryPoint);
        ConstantEvaluator constants = new ConstantEvaluator(module, source.constants());
        WgslLayout layout = new WgslLayout(module, constants);
        this.declared = BoundVariables.of(module, constants);
        this.bound = BoundVariables.used(module, declared, used);
        this.sizes = bound.stream().map(each -> layout.bytes(each.variable())).toList();
        this.edits = new ArrayList<>(new OverrideConstants(module, used).edits);
        edits.addAll(ExtensionEdits.of(module, facts));
        if (!source.wgsl().isEmpty() && source.wgsl().charAt(0) == BYTE_ORDER_MARK) {
            edits.add(new Edit(0, 1, " "));
        }
        DeviceLimits limits = new DeviceLimits(module, facts);
        limits.requireBindings(bound);
        limits.requireWorkgroupMemory(layout, used);
    }

    /** The function to run: the chosen one, or the only one. */
    private String chosen(KernelSource source) {
        List<String> all = module.entryPoints();
        String chosen = source.entryPoint();
        String names = "'" + String.join("', '", all) + "'";
        if (all.isEmpty()) {
            throw SourcePosition.error(
                    source,
                    module.functions.stream()
                            .findFirst()
                            .map(each -> each.name().begin())
                            .orElse(0),
                    "expected a @compute function in the source, got none");
        }
        if (chosen.isEmpty() && all.size() > 1) {
            throw new IllegalArgumentException("kernel '" + source.label()
                    + "': expected a choice between the @compute functions " + names
                    + ", got none; call withEntryPoint");
        }
        if (!chosen.isEmpty() && !all.contains(chosen)) {
            throw new IllegalArgumentException("kernel '" + source.label()
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
        return declared.stream().map(Bound::binding).anyMatch(each -> each.group() == group && each.number() == number);
    }

    /** Whether the entry point may read a binding: it does more with it than to assign to its elements. */
    public boolean loads(int binding) {
        return LoadUse.of(module, used)
                .contains(bound.get(binding).variable().name().text());
    }

    /** The least bytes of a binding; empty if its type is not understood. */
    public Optional<Long> leastBytes(int binding) {
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
        return edited(promoted).text;
    }

    private WgslEdits edited(long promoted) {
        List<Named> writable = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            if (((promoted >> i) & 1) == 1) {
                writable.add(bound.get(i).variable());
            }
        }
        List<Edit> all = new ArrayList<>(edits);
        all.addAll(AccessEdits.of(module, writable));
        return new WgslEdits(module.kernel.wgsl(), all);
    }

    /**
     * Makes the exception for an error of the compiler. An error that it reports without a position has that of the
     * entry point.
     *
     * @param promoted the bindings that were compiled as read_write
     * @param report the text of the library, with its lines
     */
    public KernelSourceException compileError(long promoted, String report, RuntimeException cause) {
        Matcher position = POSITION.matcher(report);
        int index;
        if (position.find()) {
            WgslEdits edited = edited(promoted);
            index = edited.original(SourcePosition.index(
                    edited.text, Integer.parseInt(position.group(1)), Integer.parseInt(position.group(2))));
        } else {
            index = module.function(entryPoint).map(each -> each.name().begin()).orElse(0);
        }
        KernelSourceException error = SourcePosition.error(
                module.kernel, index, "expected a source that compiles, got this report of the compiler:\n" + report);
        error.initCause(cause);
        return error;
    }
}
