package io.devicearena.kernels;

import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The values of an engine's own kernel, each bound once: a value that shares its bytes with one that is written has no
 * binding of its own, so a kernel need not know whether it runs in place.
 *
 * <p>The text of the kernel has functions in place of arrays. For a value {@code x} of floats they are
 *
 * <pre>{@code
 * fn x(i: u32) -> f32                    // element i; all values have it
 * fn set_x(i: u32, value: f32)           // writes element i; values that are written have it
 * }</pre>
 *
 * <p>They add the place of the value in its binding, so a value may begin at any word. Elements are words of 4 bytes.
 * Write the values that are written first.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ValueBindings {
    /**
     * How a kernel sees the words of a value.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Type {
        /** Floats of 32 bits. */
        F32,
        /** Integers of 32 bits with a sign. */
        I32,
        /** Integers of 32 bits without a sign, and words of any bits. */
        U32
    }

    /** A binding that some values share. */
    private record Bound(int number, Window window, boolean isWritten) {}

    private final StepRecorder device;
    private final Map<Long, Bound> written = new HashMap<>();
    private final Map<String, Bound> byName = new LinkedHashMap<>();
    private final List<Binding> bindings = new ArrayList<>();
    private final StringBuilder functions = new StringBuilder();

    /**
     * Begins without values.
     *
     * @param device where the kernel is recorded
     */
    public ValueBindings(StepRecorder device) {
        this.device = device;
    }

    /**
     * Adds a value that the kernel writes, and may read.
     *
     * @param name of its functions in the kernel
     * @param id the value
     * @param type of its elements
     * @return this
     * @throws IllegalArgumentException if the value has no slot, or the name is used
     */
    public ValueBindings write(String name, NodeId id, Type type) {
        Bound bound = add(name, id, type, true);
        written.putIfAbsent(device.firstByte(id), bound);
        String wgsl = type.name().toLowerCase(Locale.ROOT);
        functions.append(String.format(
                Locale.ROOT,
                "fn set_%s(i: u32, value: %s) { values_%d[%du + i] = bitcast<u32>(value); }\n",
                name,
                wgsl,
                bound.number,
                word(bound, id)));
        return this;
    }

    /**
     * Adds a value that the kernel reads.
     *
     * @param name of its function in the kernel
     * @param id the value
     * @param type of its elements
     * @return this
     * @throws IllegalArgumentException if the value has no slot, or the name is used
     */
    public ValueBindings read(String name, NodeId id, Type type) {
        add(name, id, type, false);
        return this;
    }

    private Bound add(String name, NodeId id, Type type, boolean isWritten) {
        Window window = device.kernels().window(id);
        Bound shared = written.get(device.firstByte(id));
        boolean isShared = shared != null && shared.window.bytes() >= window.bytes();
        Bound bound = shared != null && isShared ? shared : new Bound(bindings.size(), window, isWritten);
        if (byName.putIfAbsent(name, bound) != null) {
            throw new IllegalArgumentException(
                    "values of a kernel: expected names that differ, got two '" + name + "'");
        }
        if (!isShared) {
            bindings.add(window);
        }
        functions.append(String.format(
                Locale.ROOT,
                "fn %s(i: u32) -> %s { return bitcast<%2$s>(values_%d[%du + i]); }\n",
                name,
                type.name().toLowerCase(Locale.ROOT),
                bound.number,
                word(bound, id)));
        return bound;
    }

    private static long word(Bound bound, NodeId id) {
        return bound.window.offsetOf(id) / Integer.BYTES;
    }

    /**
     * Returns whether two values share a binding: one of them is written, and the other begins at its first byte.
     *
     * @param name of a value
     * @param other name of another one
     * @return whether a write to one changes the other
     * @throws IllegalArgumentException if there is no value of a name
     */
    public boolean isShared(String name, String other) {
        return bound(name).equals(bound(other));
    }

    private Bound bound(String name) {
        Bound bound = byName.get(name);
        if (bound == null) {
            throw new IllegalArgumentException(
                    "values of a kernel: expected one of " + byName.keySet() + ", got '" + name + "'");
        }
        return bound;
    }

    /** The declarations and functions of the values, and the constant words. */
    String declarations(boolean hasWords) {
        StringBuilder text = new StringBuilder();
        byName.values().stream()
                .distinct()
                .forEach(bound -> text.append(String.format(
                        Locale.ROOT,
                        "@group(0) @binding(%d) var<storage, %s> values_%1$d: array<u32>;\n",
                        bound.number,
                        bound.isWritten ? "read_write" : "read")));
        if (hasWords) {
            text.append(String.format(
                    Locale.ROOT, "@group(0) @binding(%d) var<storage, read> words: array<u32>;\n", bindings.size()));
        }
        return text.append(functions).toString();
    }

    /** The bindings of group 0, in the order of their numbers. */
    Bindings bindings(int... words) {
        List<Binding> all = new ArrayList<>(bindings);
        if (words.length > 0) {
            all.add(device.kernels().uniform(words));
        }
        return Bindings.of(all.toArray(Binding[]::new));
    }
}
