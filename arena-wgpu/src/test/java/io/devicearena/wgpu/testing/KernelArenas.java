package io.devicearena.wgpu.testing;

import static io.devicearena.wgpu.testing.TestArenas.kernels;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;

/** Arenas and kernels for tests, on the first device. */
public final class KernelArenas {
    public static final NodeId A = NodeId.of(0);
    public static final NodeId B = NodeId.of(1);
    public static final NodeId C = NodeId.of(2);
    public static final NodeId UNKNOWN = NodeId.of(99);

    /** Elements of each value of {@link #open}. */
    public static final int ELEMENTS = 1000;

    public static final String CLOSED = "device arena 'test' is closed; open a new one";

    /** Adds two values, one of them times a constant. */
    public static final KernelSource ADD = KernelSource.of("add", """
            struct Job { elements: u32, scale: f32 }
            @group(0) @binding(0) var<storage, read> a: array<f32>;
            @group(0) @binding(1) var<storage> b: array<f32>;
            @group(0) @binding(2) var<storage, read_write> c: array<f32>;
            @group(0) @binding(3) var<uniform> job: Job;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < job.elements) {
                    c[id.x] = a[id.x] + job.scale * b[id.x];
                }
            }
            """);

    /** Copies f16 values of the first binding to f32 values of the second. */
    public static final KernelSource WIDEN = KernelSource.of("widen", """
            @group(0) @binding(0) var<storage, read> halves: array<u32>;
            @group(0) @binding(1) var<storage, read_write> floats: array<f32>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < arrayLength(&floats) / 2u) {
                    let pair = unpack2x16float(halves[id.x]);
                    floats[2u * id.x] = pair.x;
                    floats[2u * id.x + 1u] = pair.y;
                }
            }
            """);

    private KernelArenas() {}

    /** Three values of {@link #ELEMENTS} floats, each where a binding may begin on every device. */
    public static DeviceArena open() {
        return open(TestArenas.plan(0, 4000, 4096, 4000, 8192, 4000));
    }

    public static DeviceArena open(MemoryPlan plan) {
        return open(plan, ArenaOptions.defaults());
    }

    public static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return TestArenas.open(plan, options.withLabel("test"));
    }

    /** Records C = A + B, in an arena of {@link #open}. */
    public static Recorder sum(DeviceArena arena) {
        Kernels kernels = kernels(arena);
        Bindings bindings = Bindings.of(
                kernels.window(A),
                kernels.window(B),
                kernels.window(C),
                kernels.uniform(ELEMENTS, Float.floatToRawIntBits(1)));
        return kernels.recorder().dispatch(kernels.compile(ADD), bindings, Workgroups.covering(ELEMENTS, 64));
    }

    public static float[] ramp(int elements, float step) {
        float[] floats = new float[elements];
        for (int i = 0; i < elements; i++) {
            floats[i] = i * step;
        }
        return floats;
    }
}
