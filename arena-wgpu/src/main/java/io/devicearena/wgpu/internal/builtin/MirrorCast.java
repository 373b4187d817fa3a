package io.devicearena.wgpu.internal.builtin;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * Casts f32 values of the arena to their f16 mirrors, on the device.
 *
 * <p>The kernel rounds in integers: to nearest with ties to even, with subnormals, and with quiet NaNs that keep their
 * top payload bits. The result equals that of {@link io.devicearena.cast.TypedCasts} bit for bit. WGSL leaves the
 * rounding of its own conversion to the device (WGSL, section 15.7.2).
 *
 * <p>Threads: safe for any thread.
 */
public final class MirrorCast implements AutoCloseable {
    private static final int WORKGROUP = 256;

    /** More invocations than any device runs at a time; each casts several pairs if there are more. */
    private static final int MAX_WORKGROUPS = 16_384;

    /**
     * The kernel in WGSL: pairs of floats at binding 0, the mirror at binding 1, and at binding 0 of group 1 the index
     * of the first pair, the number of pairs, and whether the last pair has only one float.
     */
    private static final String SOURCE = """
            struct Cast { first: u32, pairs: u32, odd: u32, unused: u32 }
            @group(0) @binding(0) var<storage, read> floats: array<vec2<u32>>;
            @group(0) @binding(1) var<storage, read_write> halves: array<u32>;
            @group(1) @binding(0) var<uniform> job: Cast;

            fn rounded(kept: u32, lost: u32, tie: u32) -> u32 {
                return kept + select(0u, 1u, lost > tie || (lost == tie && (kept & 1u) == 1u));
            }

            fn half(bits: u32) -> u32 {
                let sign = (bits >> 16u) & 0x8000u;
                let rest = bits & 0x7fffffffu;
                if (rest > 0x7f800000u) {
                    return sign | 0x7e00u | ((rest & 0x7fffffu) >> 13u);
                }
                if (rest >= 0x477ff000u) {
                    return sign | 0x7c00u;
                }
                if (rest >= 0x38800000u) {
                    let moved = rest - 0x38000000u;
                    return sign | rounded(moved >> 13u, moved & 0x1fffu, 0x1000u);
                }
                if (rest <= 0x33000000u) {
                    return sign;
                }
                let shift = 126u - (rest >> 23u);
                let mantissa = (rest & 0x7fffffu) | 0x800000u;
                return sign | rounded(mantissa >> shift, mantissa & ((1u << shift) - 1u), 1u << (shift - 1u));
            }

            @compute @workgroup_size(256)
            fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
                for (var i = id.x; i < job.pairs; i += groups.x * 256u) {
                    let pair = floats[job.first + i];
                    let high = select(half(pair.y), 0u, job.odd == 1u && i + 1u == job.pairs);
                    halves[job.first + i] = half(pair.x) | (high << 16u);
                }
            }
            """;

    /** The parameters of one dispatch: four words. */
    private static final int PARAMETERS_BYTES = 4 * Integer.BYTES;

    private final GpuDevice device;
    private final GpuPipeline pipeline;
    private final long window;
    private final Arena memory = Arena.ofShared();
    private final GpuBuffer parameters;
    private final GpuBindGroup parametersGroup;

    /** Compiles the kernel, and allocates the parameters of one dispatch. */
    public MirrorCast(GpuDevice device) {
        this.device = device;
        // a window and its mirror both begin where a binding may, and the mirror is whole pairs
        this.window = device.limits().maxBindingBytes() & -2 * GpuLimits.MAX_BINDING_ALIGNMENT;
        this.parameters = device.createBuffer(
                "device arena parameters",
                PARAMETERS_BYTES,
                WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
        this.pipeline = GpuPipeline.compile(
                device,
                new GpuPipeline.Program(
                        "device arena mirror cast",
                        SOURCE,
                        "main",
                        List.of(
                                new KernelBinding(0, 0, "floats", KernelBinding.Access.READ),
                                new KernelBinding(0, 1, "halves", KernelBinding.Access.READ_WRITE),
                                new KernelBinding(1, 0, "job", KernelBinding.Access.UNIFORM))));
        this.parametersGroup = GpuBindGroup.create(
                device, pipeline, 1, List.of(new GpuBindGroup.Range(parameters, 0, PARAMETERS_BYTES)), memory);
    }

    /** The bytes of the arena that one bind group covers. */
    public long window() {
        return window;
    }

    /** Creates the bind group of the window that begins at a byte of a buffer; {@code owner} releases it. */
    public GpuBindGroup bind(GpuBuffer arena, GpuBuffer shadow, long begin, Arena owner) {
        return GpuBindGroup.create(
                device,
                pipeline,
                0,
                List.of(
                        GpuBindGroup.Range.upTo(arena, begin, window),
                        GpuBindGroup.Range.upTo(shadow, begin / 2, window / 2)),
                owner);
    }

    /**
     * Records the cast of pairs of floats within one window.
     *
     * @param first the index of the first pair in the window
     * @param odd whether the last pair has only one float; its other half becomes zero
     */
    public void record(Commands commands, GpuBindGroup group, long first, long pairs, boolean odd) {
        commands.write(parameters, (int) first, (int) pairs, odd ? 1 : 0, 0);
        commands.dispatch(pipeline, group, parametersGroup, workgroups(pairs));
    }

    /** The kernel; its second group binds four words: the first pair, the pairs, 1 if the last one is odd, and 0. */
    public GpuPipeline pipeline() {
        return pipeline;
    }

    /** The workgroups that cast a number of pairs. */
    public static int workgroups(long pairs) {
        return (int) Math.min((pairs + WORKGROUP - 1) / WORKGROUP, MAX_WORKGROUPS);
    }

    @Override
    public void close() {
        memory.close();
        parameters.close();
        pipeline.close();
    }
}
