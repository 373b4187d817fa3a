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
     * The arena's bytes are host memory: {@link DeviceArena#hostMemory} gives access without a copy. Absent: that
     * method throws {@link UnsupportedOperationException}.
     */
    HOST_MEMORY,
    /**
     * The arena keeps the f16 form of what was written as f32 in a second buffer, for kernels that read weights at half
     * the traffic: {@link DeviceArena#f16Shadow}. Absent: that method throws {@link UnsupportedOperationException}.
     */
    F16_SHADOW,
    /**
     * The arena runs compute kernels on its bytes. The methods are not in {@link DeviceArena} but in the provider's own
     * arena type, because kernels are written in the device's language: for the provider {@code wgpu} cast the arena to
     * {@code io.devicearena.wgpu.WgpuArena} and call {@code kernels()}. Absent: the arena is of no such type, or those
     * methods throw {@link UnsupportedOperationException}.
     */
    KERNELS
}
