package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The bytes of a plan by what its values are for, padding to the alignment included.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param weightBytes parameters and constants
 * @param stateBytes what is kept from one execution to the next, such as a key-value cache
 * @param activationBytes the rest of the arena: inputs, and what ops make
 */
public record RoleBytes(long weightBytes, long stateBytes, long activationBytes) {
    /**
     * {@return the bytes of a plan}
     *
     * @param graph the graph that was planned
     * @param planned its plan, with the weights in it
     */
    public static RoleBytes of(PlanGraph graph, PlanResult planned) {
        Map<NodeId, NodeRole> owners = new HashMap<>();
        for (PlanNode node : Objects.requireNonNull(graph, "graph").nodes()) {
            if (node.view().isEmpty()) {
                owners.put(node.id(), node.role());
            }
        }
        long weights = 0;
        long states = 0;
        for (LiveBuffer buffer : planned.buffers()) {
            NodeRole role = owners.get(buffer.id());
            if (role == NodeRole.STATE) {
                states += buffer.size();
            } else if (role == NodeRole.PARAMETER || role == NodeRole.CONSTANT) {
                weights += buffer.size();
            }
        }
        return new RoleBytes(weights, states, planned.plan().arenaSize() - weights - states);
    }
}
