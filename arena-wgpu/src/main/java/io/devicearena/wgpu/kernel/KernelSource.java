package io.devicearena.wgpu.kernel;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The source of a kernel.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label its name in errors, times and tools of the device
 * @param wgsl the source in WGSL; its bindings are buffers, each declared with a number for group and binding
 * @param entryPoint the function to run; empty for the only {@code @compute} function of the source
 * @param constants values of {@code override} constants, by name
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
     * @param name the constant's name in the source
     * @param value converted to the constant's type; 0 and 1 for a bool
     * @return the changed source
     */
    public KernelSource withConstant(String name, double value) {
        Map<String, Double> changed = new TreeMap<>(constants);
        changed.put(Objects.requireNonNull(name, "name"), value);
        return new KernelSource(label, wgsl, entryPoint, changed);
    }
}
