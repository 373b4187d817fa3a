package io.devicearena;

import java.util.Objects;
import java.util.Optional;

/**
 * How an arena is opened.
 *
 * <p>Options grow by new {@code with…} methods; start from {@link #defaults}.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ArenaOptions {
    private static final ArenaOptions DEFAULTS =
            new ArenaOptions(Optional.empty(), Optional.empty(), 0, "device arena", F16ShadowMode.ON_WRITE);

    private final Optional<String> provider;
    private final Optional<DeviceSelector> device;
    private final long scratchBytes;
    private final String label;
    private final F16ShadowMode f16Shadow;

    private ArenaOptions(
            Optional<String> provider,
            Optional<DeviceSelector> device,
            long scratchBytes,
            String label,
            F16ShadowMode f16Shadow) {
        this.provider = provider;
        this.device = device;
        this.scratchBytes = scratchBytes;
        this.label = label;
        this.f16Shadow = f16Shadow;
    }

    /** {@return the default options: the best available provider, its best device, no scratch} */
    public static ArenaOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return options that choose the provider} They take precedence over the property {@code devicearena.provider}
     * and the variable {@code DEVICEARENA_PROVIDER}.
     *
     * @param name the provider's name, for example {@code cpu}
     * @throws IllegalArgumentException if the name is blank
     */
    public ArenaOptions withProvider(String name) {
        if (Objects.requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("provider: expected a name, got '" + name + "'");
        }
        return new ArenaOptions(Optional.of(name), device, scratchBytes, label, f16Shadow);
    }

    /**
     * {@return options that choose the device; without it the one with the highest priority is used}
     *
     * @param selector picks by index or by part of the name; of several matches the one with the highest priority is
     *     used
     */
    public ArenaOptions withDevice(DeviceSelector selector) {
        return new ArenaOptions(
                provider, Optional.of(Objects.requireNonNull(selector, "selector")), scratchBytes, label, f16Shadow);
    }

    /**
     * {@return options that request scratch: bytes past the plan, for a caller's own use}
     *
     * @param bytes 0 or more; the arena rounds it up to a multiple of 16
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public ArenaOptions withScratchBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("scratch: expected 0 or more bytes, got " + bytes);
        }
        return new ArenaOptions(provider, device, bytes, label, f16Shadow);
    }

    /**
     * {@return options that name the arena for log lines and device tools}
     *
     * @param text any text
     */
    public ArenaOptions withLabel(String text) {
        return new ArenaOptions(provider, device, scratchBytes, Objects.requireNonNull(text, "text"), f16Shadow);
    }

    /**
     * {@return options that choose when f16 mirrors are made; devices without {@link Capability#F16_SHADOW} ignore it}
     *
     * @param mode when
     */
    public ArenaOptions withF16Shadow(F16ShadowMode mode) {
        return new ArenaOptions(provider, device, scratchBytes, label, Objects.requireNonNull(mode, "mode"));
    }

    /** {@return the name of the chosen provider, or empty for the best available} */
    public Optional<String> provider() {
        return provider;
    }

    /** {@return what picks the device, or empty for the one with the highest priority} */
    public Optional<DeviceSelector> device() {
        return device;
    }

    /** {@return the bytes past the plan, before rounding, 0 or more} */
    public long scratchBytes() {
        return scratchBytes;
    }

    /** {@return the arena's name in log lines and device tools} */
    public String label() {
        return label;
    }

    /** {@return when f16 mirrors are made, {@link F16ShadowMode#ON_WRITE} by default} */
    public F16ShadowMode f16Shadow() {
        return f16Shadow;
    }

    @Override
    public String toString() {
        return "ArenaOptions[provider=" + provider.orElse("best") + ", device="
                + device.map(Object::toString).orElse("best") + ", scratchBytes=" + scratchBytes + ", label=" + label
                + ", f16Shadow=" + f16Shadow + "]";
    }
}
