package io.devicearena.wgpu.kernel;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The source of a kernel.
 *
 * <p>The source is WGSL as the standard has it. {@code override} constants get their values in the text, so that they
 * are valid wherever WGSL allows them: as lengths of arrays in {@code var<workgroup>}, in {@code @workgroup_size}, in
 * the defaults of others. {@code enable f16} and {@code enable subgroups} are valid where {@link KernelFacts} says so.
 * A kernel that needs more than a limit of {@link KernelFacts} is refused when it is compiled.
 *
 * <p>Indices that are out of range stay within their binding or array, as WGSL has it. Loops must end: one that does
 * not blocks the device until its driver gives up, and the device is lost.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label its name in errors, times and tools of the device
 * @param wgsl the source in WGSL; its bindings are buffers, each declared with a number for group and binding
 * @param entryPoint the function to run; empty for the only {@code @compute} function of the source
 * @param constants values of {@code override} constants, by name; one that the entry point uses and that has no
 *     default needs a value
 */
public record KernelSource(String label, String wgsl, String entryPoint, Map<String, Double> constants) {
    /** Makes a source; the map is copied. */
    public KernelSource {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(wgsl, "wgsl");
        Objects.requireNonNull(entryPoint, "entryPoint");
        constants = Map.copyOf(constants);
    }

    /**
     * Makes a source with one {@code @compute} function and without constants.
     *
     * @param label its name in errors, times and tools of the device
     * @param wgsl the source in WGSL
     * @return the source
     */
    public static KernelSource of(String label, String wgsl) {
        return new KernelSource(label, wgsl, "", Map.of());
    }

    /**
     * Selects the function to run.
     *
     * @param name a {@code @compute} function of the source
     * @return the changed source
     */
    public KernelSource withEntryPoint(String name) {
        return new KernelSource(label, wgsl, name, constants);
    }

    /**
     * Sets the value of an {@code override} constant. Each set of values is compiled as a separate kernel.
     *
     * @param name the constant's name in the source, also of one with an {@code @id}. The source declares its type, or
     *     its default is a single literal
     * @param value one that the constant's type has: whole and in range for i32 and u32, 0 or 1 for a bool, finite
     *     and rounded to nearest for f32 and f16. {@link Kernels#compile} refuses others
     * @return the changed source
     */
    public KernelSource withConstant(String name, double value) {
        Map<String, Double> changed = new TreeMap<>(constants);
        changed.put(Objects.requireNonNull(name, "name"), value);
        return new KernelSource(label, wgsl, entryPoint, changed);
    }
}
