package io.devicearena.cli.planview;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import java.util.List;
import java.util.Optional;

/**
 * One value of a plan, as the page shows it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param buffer the value and its live range; an empty one is drawn as a thin outline
 * @param slot the bytes it occupies
 * @param name its name, any text
 * @param role one of input, parameter, constant, state, op, output, view, buffer
 * @param shape its shape as text, empty if unknown
 * @param dtype its element type as text, empty if unknown
 * @param viewOf the value whose bytes a view shows, if it is a view
 * @param inPlaceOf the value that it overwrites, if an op wrote it in place: that live range ends where its own begins
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
    /** The roles, in the order of the legend; the page refers to them by index. */
    static final List<String> ROLES =
            List.of("input", "parameter", "constant", "state", "op", "output", "buffer", "view");

    /**
     * Makes a value.
     *
     * @throws IllegalArgumentException if {@code role} is not one of the roles
     */
    public PlanViewValue {
        if (!ROLES.contains(role)) {
            throw new IllegalArgumentException("role: expected one of " + ROLES + ", got '" + role + "'");
        }
    }
}
