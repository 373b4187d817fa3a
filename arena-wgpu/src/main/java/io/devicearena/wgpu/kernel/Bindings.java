package io.devicearena.wgpu.kernel;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the bindings of a dispatch are bound to.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Bindings {
    private static final Bindings NONE = new Bindings(Map.of());

    /** By group and number, a long for both so that they come in order. */
    private final Map<Long, Binding> bound;

    private Bindings(Map<Long, Binding> bound) {
        this.bound = bound;
    }

    /**
     * Binds nothing; start here for groups other than the first.
     *
     * @return no bindings
     */
    public static Bindings none() {
        return NONE;
    }

    /**
     * Binds group 0.
     *
     * @param inOrder for binding 0, 1, and so on
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
     * Adds a binding, or changes it.
     *
     * @param group the number of the group, 0 or more
     * @param number the number in the group, 0 or more
     * @param binding what it is bound to
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
     * What is bound at a place.
     *
     * @param group the number of the group
     * @param number the number in the group
     * @return what it is bound to, or empty
     */
    public Optional<Binding> at(int group, int number) {
        return Optional.ofNullable(bound.get((long) group << 32 | number));
    }

    /**
     * Calls a function for each, ascending by group and number.
     *
     * @param visitor called with group, number and what is bound
     */
    public void forEach(Visitor visitor) {
        bound.forEach((place, binding) -> visitor.visit((int) (place >> 32), place.intValue(), binding));
    }

    /**
     * Looks at one binding after the other.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Looks at a binding.
         *
         * @param group the number of the group
         * @param number the number in the group
         * @param binding what it is bound to
         */
        void visit(int group, int number, Binding binding);
    }
}
