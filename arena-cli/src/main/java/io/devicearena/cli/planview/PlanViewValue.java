package io.devicearena.cli.planview;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One value of a plan, with what a reader of its picture wants to know about it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param buffer the value and its life; an empty life is drawn as a thin outline
 * @param slot the bytes it occupies
 * @param name what the reader knows it by; any text
 * @param role one of input, parameter, constant, op, output, view, buffer
 * @param shape its shape as text, empty where none is known
 * @param dtype its element type as text, empty where none is known
 * @param viewOf the value whose bytes a view shows
 * @param inPlaceOf the value that it was made over, whose life ends where its own begins
 */
public record PlanViewValue(
        LiveBuffer buffer,
        BufferSlot slot,
        String name,
        String role,
        String shape,
        String dtype,
        Optional<NodeId> viewOf,
        Optional<NodeId> inPlaceOf) {
    /** The roles, in the order of the legend; the page knows them by their place here. */
    static final List<String> ROLES = List.of("input", "parameter", "constant", "op", "output", "buffer", "view");

    /**
     * Makes a value.
     *
     * @throws IllegalArgumentException if {@code role} is none of the roles
     */
    public PlanViewValue {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(slot, "slot");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(dtype, "dtype");
        Objects.requireNonNull(viewOf, "viewOf");
        Objects.requireNonNull(inPlaceOf, "inPlaceOf");
        if (!ROLES.contains(role)) {
            throw new IllegalArgumentException("role: expected one of " + ROLES + ", got '" + role + "'");
        }
    }
}
