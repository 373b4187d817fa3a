package io.devicearena;

/**
 * An ability that a device's arenas have or have not, fixed for the arena's life.
 *
 * <p>Calling a method that needs an absent capability throws {@link UnsupportedOperationException} with the message
 * {@code CAPABILITY: not a capability of provider 'NAME' on 'DEVICE'}; nothing falls back in silence.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Capability {
    /**
     * The arena's bytes are host memory: {@link DeviceArena#hostMemory} lends them without a copy. Absent: that method
     * throws {@link UnsupportedOperationException}.
     */
    HOST_MEMORY,
    /**
     * The arena keeps the f16 form of what was written as f32 in a second buffer, for kernels that read weights at half
     * the traffic: {@link DeviceArena#f16Shadow}. Absent: that method throws {@link UnsupportedOperationException}.
     */
    F16_SHADOW,
    /**
     * The provider's own arena type runs compute kernels on the arena's bytes. Absent: that type refuses with
     * {@link UnsupportedOperationException}.
     */
    KERNELS
}
