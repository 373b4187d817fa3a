package io.devicearena;

/**
 * An optional ability of a device's arenas, fixed for the arena's life.
 *
 * <p>Calling a method that needs an absent capability throws {@link UnsupportedOperationException} with the message
 * {@code CAPABILITY: not a capability of provider 'NAME' on 'DEVICE'}; there is no silent fallback.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Capability {
    /**
     * The arena's bytes are host memory: {@link DeviceArena#unwrap} returns them as a {@link
     * java.lang.foreign.MemorySegment}, for access without a copy. Absent: it returns none.
     */
    HOST_MEMORY,
    /**
     * The arena keeps the f16 form of what was written as f32 in a second buffer, for kernels that read weights at half
     * the traffic: {@link DeviceArena#unwrap} returns it as an {@link F16Shadow}. Absent: it returns none.
     */
    F16_SHADOW,
    /**
     * The arena runs compute kernels on its bytes. The methods are in a type of the provider, because kernels are
     * written in the device's language: for the provider {@code wgpu} get {@code io.devicearena.wgpu.WgpuArena} by
     * {@link DeviceArena#unwrap} and call {@code kernels()}, for {@code cuda} get {@code
     * io.devicearena.cuda.kernel.Kernels}. Absent: there is no such type, or its methods throw {@link
     * UnsupportedOperationException}.
     */
    KERNELS
}
