package io.devicearena;

/**
 * When an arena makes the f16 mirrors of what is written as F32, on devices with {@link Capability#F16_SHADOW}.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum F16ShadowMode {
    /** Each typed write as F32 makes its mirror; the default. */
    ON_WRITE,
    /** Writes leave mirrors stale; {@link F16Shadow#refresh} and {@link F16Shadow#write} make them. */
    ON_REQUEST,
    /** The arena has no shadow: {@link DeviceArena#unwrap} returns no {@link F16Shadow}. */
    OFF
}
