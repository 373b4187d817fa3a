package io.devicearena.kernels.catalog;

import io.devicearena.DeviceArena;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All steps by name, and the text of their kernels.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class KernelCatalog {
    private KernelCatalog() {}

    /** {@return the names of the steps, in alphabetic order} */
    public static List<String> steps() {
        return List.copyOf(StepExamples.ALL.keySet());
    }

    /**
     * Returns what a step computes.
     *
     * @param step a name of {@link #steps}
     * @return one line
     * @throws IllegalArgumentException if there is no such step
     */
    public static String about(String step) {
        return StepExamples.of(step).about();
    }

    /**
     * Returns the types of weights of a step.
     *
     * @param step a name of {@link #steps}
     * @return the types, none if the step has no packed weights
     * @throws IllegalArgumentException if there is no such step
     */
    public static List<TensorType> formats(String step) {
        return StepExamples.of(step).formats();
    }

    /**
     * Returns the text of the kernels of a step, each part of it after a comment with the file that it is from.
     *
     * @param step a name of {@link #steps}
     * @param format the type of its weights, or null for the first of {@link #formats}
     * @param arena of the device; without one, the text is for a device with subgroups of 32
     * @return a text of WGSL for each kernel of an example of the step
     * @throws IllegalArgumentException if there is no such step, or if it does not have the type
     */
    public static List<String> print(String step, @Nullable TensorType format, Optional<DeviceArena> arena) {
        StepExamples.Example example = StepExamples.of(step);
        List<TensorType> known = example.formats();
        if (format != null && !known.contains(format)) {
            throw new IllegalArgumentException(
                    step + ": expected " + (known.isEmpty() ? "no format" : "one of " + known) + ", got " + format);
        }
        TensorType chosen = format != null || known.isEmpty() ? format : known.getFirst();
        KernelFacts facts = arena.map(each -> kernels(each).facts()).orElseGet(() -> StepSources.facts(32));
        Set<String> texts = new LinkedHashSet<>();
        for (KernelSource source : StepSources.of(example.first(chosen), facts)) {
            texts.add("// " + source.label() + "\n" + source.wgsl());
        }
        return List.copyOf(texts);
    }

    /**
     * Compiles the kernels of all forms of all steps: each type of weights, few and many rows, with and without
     * subgroups.
     *
     * @param arena of a device with kernels in WGSL
     * @return a line for each kernel that does not compile, and how many do
     */
    public static Checked check(DeviceArena arena) {
        Kernels kernels = kernels(arena);
        Set<KernelSource> sources = new LinkedHashSet<>();
        for (StepExamples.Example example : StepExamples.ALL.values()) {
            example.forms().values().stream().flatMap(List::stream).forEach(form -> {
                sources.addAll(StepSources.of(form, kernels.facts()));
                sources.addAll(StepSources.of(form, StepSources.facts(0)));
            });
        }
        List<String> faults = new ArrayList<>();
        for (KernelSource source : sources) {
            try {
                kernels.compile(source).close();
            } catch (KernelSourceException e) {
                faults.add(source.label() + ": " + e.getMessage());
            }
        }
        return new Checked(sources.size(), faults);
    }

    private static Kernels kernels(DeviceArena arena) {
        return arena.unwrap(Kernels.class)
                .orElseThrow(() ->
                        new IllegalArgumentException("device '" + arena.device().name()
                                + "': expected one with kernels in WGSL, got one of provider '"
                                + arena.device().provider() + "'; choose provider wgpu"));
    }

    /**
     * What a device made of all kernels.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param kernels how many were compiled
     * @param faults a line for each that did not compile
     */
    public record Checked(int kernels, List<String> faults) {
        /** Copies the list. */
        public Checked {
            faults = List.copyOf(faults);
        }
    }
}
