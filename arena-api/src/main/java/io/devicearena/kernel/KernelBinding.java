package io.devicearena.kernel;

import java.util.Objects;

/**
 * A binding that a kernel's source declares.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param group the number of its group, 0 or more
 * @param number its number in the group, 0 or more
 * @param name the variable's name
 * @param access how the kernel may use the bound bytes
 */
public record KernelBinding(int group, int number, String name, Access access) {
    /**
     * How a kernel may use the bound bytes.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Access {
        /** {@code var<storage, read>}. */
        READ,
        /** {@code var<storage, read_write>}. */
        READ_WRITE,
        /** {@code var<uniform>}. */
        UNIFORM
    }

    /** Makes a binding. */
    public KernelBinding {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(access, "access");
    }

    /** Returns the binding as the source declares it. */
    @Override
    public String toString() {
        return "@group(" + group + ") @binding(" + number + ") '" + name + "'";
    }
}
