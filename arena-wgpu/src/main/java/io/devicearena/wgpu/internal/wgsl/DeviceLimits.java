package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.internal.wgsl.BoundVariables.Bound;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses sources that need more than a device has. What it cannot work out is left to the compiler.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WebGPU, section 10.3.2 (validation of a compute pipeline).
 */
record DeviceLimits(WgslModule module, KernelFacts facts) {
    /** The unit in which WebGPU counts the memory of a workgroup, in bytes. */
    private static final long WORKGROUP_UNIT = 16;

    /** Keeps the sum of sizes within 63 bits; far beyond any device, in bytes. */
    private static final long MAX_SUMMAND = 1L << 40;

    /**
     * Checks the memory that the invocations of a workgroup share.
     *
     * @param used the names that the entry point uses
     */
    void requireWorkgroupMemory(WgslLayout layout, Set<String> used) {
        long all = 0;
        Named largest = null;
        long largestSize = 0;
        for (Named each : module.named("var")) {
            boolean shared = !each.space().isEmpty()
                    && module.is(each.space().begin(), "workgroup")
                    && used.contains(each.name().text());
            Optional<Long> bytes = shared ? layout.bytes(each) : Optional.empty();
            if (bytes.isPresent()) {
                long size = Math.min(bytes.get(), MAX_SUMMAND);
                all = Math.addExact(all, (size + WORKGROUP_UNIT - 1) & -WORKGROUP_UNIT);
                if (size > largestSize) {
                    largest = each;
                    largestSize = size;
                }
            }
        }
        if (largest != null && all > facts.maxWorkgroupMemoryBytes()) {
            throw module.error(
                    largest.name(),
                    "expected at most " + facts.maxWorkgroupMemoryBytes()
                            + " bytes of var<workgroup> (maxWorkgroupMemoryBytes), got " + all + " bytes, "
                            + largestSize + " of them in '" + largest.name().text() + "'; use smaller tiles");
        }
    }

    /** Checks the numbers of bindings, and how many there are of each kind. */
    void requireBindings(List<Bound> bindings) {
        for (Bound each : bindings) {
            requireNumber(each, "group", each.binding().group(), facts.maxBindGroups(), "maxBindGroups");
            requireNumber(each, "binding", each.binding().number(), facts.maxBindingsPerGroup(), "maxBindingsPerGroup");
        }
        requireCount(bindings, false, facts.maxStorageBindings(), "storage bindings (maxStorageBindings)");
        requireCount(bindings, true, facts.maxUniformBindings(), "uniform bindings (maxUniformBindings)");
    }

    private void requireNumber(Bound each, String attribute, int number, int end, String limit) {
        if (number >= end) {
            throw module.error(
                    each.variable().name(),
                    "'" + each.binding().name() + "': expected a " + attribute + " from 0 to " + (end - 1) + " ("
                            + limit + "), got " + number + "; use a smaller number");
        }
    }

    private void requireCount(List<Bound> bindings, boolean uniform, int most, String what) {
        List<Bound> counted = bindings.stream()
                .filter(each -> (each.binding().access() == KernelBinding.Access.UNIFORM) == uniform)
                .toList();
        if (counted.size() > most) {
            throw module.error(
                    counted.get(most).variable().name(),
                    "expected at most " + most + " " + what + ", got " + counted.size()
                            + "; bind several values as one window");
        }
    }
}
