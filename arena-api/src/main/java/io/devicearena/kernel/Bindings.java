package io.devicearena.kernel;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The bindings of a dispatch: for each group and number, the bytes that are bound.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Bindings {
    private static final Bindings NONE = new Bindings(Map.of());

    /** By group in the upper 32 bits and number in the lower ones, so that the keys are in order. */
    private final Map<Long, Binding> bound;

    private Bindings(Map<Long, Binding> bound) {
        this.bound = bound;
    }

    /**
     * Returns no bindings; the start for groups other than the first.
     *
     * @return no bindings
     */
    public static Bindings none() {
        return NONE;
    }

    /**
     * Binds group 0.
     *
     * @param inOrder the bytes for binding 0, 1, and so on
     * @return the bindings
     */
    public static Bindings of(Binding... inOrder) {
        TreeMap<Long, Binding> bound = new TreeMap<>();
        for (int i = 0; i < inOrder.length; i++) {
            bound.put((long) i, Objects.requireNonNull(inOrder[i], "binding"));
        }
        return new Bindings(bound);
    }

    /**
     * Adds or replaces a binding.
     *
     * @param group the number of the group, 0 or more
     * @param number the number in the group, 0 or more
     * @param binding the bytes to bind
     * @return the changed bindings
     * @throws IllegalArgumentException if a number is negative
     */
    public Bindings with(int group, int number, Binding binding) {
        if (group < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "binding: expected numbers of 0 or more, got group " + group + ", binding " + number);
        }
        TreeMap<Long, Binding> changed = new TreeMap<>(bound);
        changed.put((long) group << 32 | number, Objects.requireNonNull(binding, "binding"));
        return new Bindings(changed);
    }

    /**
     * Returns the bytes that are bound at a number.
     *
     * @param group the number of the group
     * @param number the number in the group
     * @return the bytes, or empty if nothing is bound there
     */
    public Optional<Binding> at(int group, int number) {
        return Optional.ofNullable(bound.get((long) group << 32 | number));
    }

    /**
     * Calls a function for each binding, in ascending order of group and number.
     *
     * @param visitor is called with the group, the number and the bound bytes
     */
    public void forEach(Visitor visitor) {
        bound.forEach((place, binding) -> visitor.visit((int) (place >> 32), place.intValue(), binding));
    }

    /**
     * Receives bindings one after the other.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Receives a binding.
         *
         * @param group the number of the group
         * @param number the number in the group
         * @param binding the bytes to bind
         */
        void visit(int group, int number, Binding binding);
    }
}
