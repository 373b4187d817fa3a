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

    /**
     * The best available provider, its best device, no scratch.
     *
     * @return the default options
     */
    public static ArenaOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Chooses the provider; this takes precedence over the property {@code devicearena.provider} and the variable
     * {@code DEVICEARENA_PROVIDER}.
     *
     * @param name the provider's name, for example {@code cpu}
     * @return the changed options
     * @throws IllegalArgumentException if the name is blank
     */
    public ArenaOptions withProvider(String name) {
        if (Objects.requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("provider: expected a name, got '" + name + "'");
        }
        return new ArenaOptions(Optional.of(name), device, scratchBytes, label, f16Shadow);
    }

    /**
     * Chooses the device of the provider; without it the device with the highest priority is used.
     *
     * @param selector picks by index or by part of the name; of several matches the one with the highest priority is
     *     used
     * @return the changed options
     */
    public ArenaOptions withDevice(DeviceSelector selector) {
        return new ArenaOptions(
                provider, Optional.of(Objects.requireNonNull(selector, "selector")), scratchBytes, label, f16Shadow);
    }

    /**
     * Requests scratch: bytes past the plan, for a caller's own use.
     *
     * @param bytes 0 or more; the arena rounds it up to a multiple of 16
     * @return the changed options
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public ArenaOptions withScratchBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("scratch: expected 0 or more bytes, got " + bytes);
        }
        return new ArenaOptions(provider, device, bytes, label, f16Shadow);
    }

    /**
     * Names the arena for log lines and device tools.
     *
     * @param text any text
     * @return the changed options
     */
    public ArenaOptions withLabel(String text) {
        return new ArenaOptions(provider, device, scratchBytes, Objects.requireNonNull(text, "text"), f16Shadow);
    }

    /**
     * Chooses when f16 mirrors are made; devices without {@link Capability#F16_SHADOW} ignore it.
     *
     * @param mode when
     * @return the changed options
     */
    public ArenaOptions withF16Shadow(F16ShadowMode mode) {
        return new ArenaOptions(provider, device, scratchBytes, label, Objects.requireNonNull(mode, "mode"));
    }

    /**
     * The chosen provider.
     *
     * @return its name, or empty for the best available
     */
    public Optional<String> provider() {
        return provider;
    }

    /**
     * The chosen device.
     *
     * @return what picks it, or empty for the one with the highest priority
     */
    public Optional<DeviceSelector> device() {
        return device;
    }

    /**
     * Bytes past the plan, before rounding.
     *
     * @return bytes, 0 or more
     */
    public long scratchBytes() {
        return scratchBytes;
    }

    /**
     * The arena's name in log lines and device tools.
     *
     * @return the name
     */
    public String label() {
        return label;
    }

    /**
     * When f16 mirrors are made.
     *
     * @return the mode, {@link F16ShadowMode#ON_WRITE} by default
     */
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
