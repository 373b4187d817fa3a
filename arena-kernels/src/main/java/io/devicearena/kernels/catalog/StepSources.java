package io.devicearena.kernels.catalog;

import io.devicearena.NodeId;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/** The sources of the kernels that a step records, without a device: windows of its values begin with them. */
final class StepSources {
    private static final long LONGEST = 1L << 31;

    private StepSources() {}

    /** A window of a value, as long as any kernel wants. */
    private record WholeWindow(long offset, long bytes) implements Window {
        @Override
        public long offsetOf(NodeId id) {
            return 0;
        }

        @Override
        public long offsetOf(NodeId id, long firstByte) {
            return 0;
        }
    }

    static List<KernelSource> of(KernelStep step, KernelFacts facts) {
        List<KernelSource> sources = new ArrayList<>();
        Kernel none = proxy(Kernel.class, (self, method, arguments) -> null);
        // steps call no other methods; an interface that grows needs no change here
        Kernels kernels = proxy(Kernels.class, (self, method, arguments) -> switch (method.getName()) {
            case "facts" -> facts;
            case "compile" -> {
                sources.add((KernelSource) Objects.requireNonNull(arguments)[0]);
                yield none;
            }
            case "window" -> new WholeWindow(beginOf(Objects.requireNonNull(arguments)[0]), Long.MAX_VALUE);
            case "shadowWindow", "uniform" -> new WholeWindow(0, Long.MAX_VALUE);
            default -> throw new UnsupportedOperationException(method.getName() + ": not on paper");
        });
        Recorder recorder = proxy(Recorder.class, (self, method, arguments) -> self);
        step.record(new StepRecorder(kernels, recorder));
        return sources;
    }

    /** Different values lie at different places. */
    private static long beginOf(Object values) {
        NodeId first = values instanceof NodeId[] all ? all[0] : (NodeId) values;
        return first.value() * LONGEST;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(StepSources.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /**
     * Returns what a typical GPU can do.
     *
     * @param subgroup the size of its subgroups; 0: it has none
     */
    static KernelFacts facts(int subgroup) {
        return new KernelFacts(
                "none",
                "none",
                "none",
                256,
                256,
                LONGEST,
                65_536,
                LONGEST,
                65_535,
                1024,
                1024,
                64,
                1024,
                48 << 10,
                32,
                12,
                4,
                1000,
                subgroup > 0,
                subgroup,
                subgroup,
                false,
                false,
                false,
                OptionalDouble.empty());
    }
}
