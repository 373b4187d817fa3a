package io.devicearena;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an arena is opened.
 *
 * <p>Options grow by new {@code with…} methods; start from {@link #defaults}.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ArenaOptions {
    private static final ArenaOptions DEFAULTS = new ArenaOptions();

    // Written by the constructor and, before they return the copy, by the with… methods.
    private @Nullable String provider;
    private @Nullable DeviceSelector device;
    private @Nullable DeviceArena weights;
    private long scratchBytes;
    private String label = "device arena";
    private F16ShadowMode f16Shadow = F16ShadowMode.ON_WRITE;
    private boolean reinterpretation;
    private boolean checks;

    private ArenaOptions() {}

    private ArenaOptions with(Consumer<ArenaOptions> change) {
        ArenaOptions copy = new ArenaOptions();
        copy.provider = provider;
        copy.device = device;
        copy.weights = weights;
        copy.scratchBytes = scratchBytes;
        copy.label = label;
        copy.f16Shadow = f16Shadow;
        copy.reinterpretation = reinterpretation;
        copy.checks = checks;
        change.accept(copy);
        return copy;
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
        return with(changed -> changed.provider = name);
    }

    /**
     * {@return options that choose the device; without it the one with the highest priority is used}
     *
     * @param selector picks by index or by part of the name; of several matches the one with the highest priority is
     *     used
     */
    public ArenaOptions withDevice(DeviceSelector selector) {
        return with(changed -> changed.device = Objects.requireNonNull(selector, "selector"));
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
        return with(changed -> changed.scratchBytes = bytes);
    }

    /**
     * {@return options that name the arena for log lines and device tools}
     *
     * @param text any text
     */
    public ArenaOptions withLabel(String text) {
        return with(changed -> changed.label = Objects.requireNonNull(text, "text"));
    }

    /**
     * {@return options that choose when f16 mirrors are made; devices without {@link Capability#F16_SHADOW} ignore it}
     *
     * @param mode when
     */
    public ArenaOptions withF16Shadow(F16ShadowMode mode) {
        return with(changed -> changed.f16Shadow = Objects.requireNonNull(mode, "mode"));
    }

    /**
     * {@return options for an arena that uses the weights of another one} Several arenas of one device can use them at
     * once. Their memory is freed when the arena of the weights and all that use it are closed. The arena is opened on
     * the device of the weights.
     *
     * @param arena holds the weights; its plan has the values that the plan of the new arena leaves out
     */
    public ArenaOptions withWeights(DeviceArena arena) {
        return with(changed -> changed.weights = Objects.requireNonNull(arena, "arena"));
    }

    /**
     * {@return options that let typed access use another type than the plan has for a value} Without them such a call
     * is refused. Values that the plan knows nothing of can be accessed as any type.
     */
    public ArenaOptions withReinterpretation() {
        return with(changed -> changed.reinterpretation = true);
    }

    /**
     * {@return options for an arena that checks the execution of its graph} It finds steps in another order than the
     * schedule, reads of values that are not written or whose bytes another value took, changed bytes outside the
     * values that a step writes, and numbers that are not finite. A finding is an {@link ExecutionCheckException}.
     *
     * <p>The artifact {@code arena-diagnostics} makes the checks: without it on the path, no such arena can be opened.
     *
     * <p>For development and tests: each step copies the bytes of the plan to the host before and after it, and the
     * arena keeps two copies on the Java heap. Steps run one at a time. New memory is filled with bytes of 0xFF, except
     * values of role {@link NodeRole#STATE}, which are zero.
     */
    public ArenaOptions withChecks() {
        return with(changed -> changed.checks = true);
    }

    /** {@return the name of the chosen provider, or empty for the best available} */
    public Optional<String> provider() {
        return Optional.ofNullable(provider);
    }

    /** {@return what picks the device, or empty for the one with the highest priority} */
    public Optional<DeviceSelector> device() {
        return Optional.ofNullable(device);
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

    /** {@return the arena whose weights are used, or empty for none} */
    public Optional<DeviceArena> weights() {
        return Optional.ofNullable(weights);
    }

    /** {@return whether typed access may use another type than the plan has; false by default} */
    public boolean reinterpretation() {
        return reinterpretation;
    }

    /** {@return whether the arena checks the execution of its graph; false by default} */
    public boolean checks() {
        return checks;
    }

    @Override
    public String toString() {
        return "ArenaOptions[provider=" + provider().orElse("best") + ", device="
                + device().map(Object::toString).orElse("best") + ", scratchBytes=" + scratchBytes + ", label=" + label
                + ", f16Shadow=" + f16Shadow + (weights == null ? "" : ", weights=" + weights)
                + (reinterpretation ? ", reinterpretation" : "") + (checks ? ", checks" : "") + "]";
    }
}
