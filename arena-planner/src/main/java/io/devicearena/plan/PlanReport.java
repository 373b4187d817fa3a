package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A plan for people and for scripts that cut columns: {@code # arena_size=… total_unshared=… saved=…}, all in bytes, then
 * offset, size and node of each slot, separated by tabs, in offset order.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanReport {
    private static final Comparator<Map.Entry<NodeId, BufferSlot>> BY_OFFSET =
            Comparator.<Map.Entry<NodeId, BufferSlot>>comparingLong(
                            entry -> entry.getValue().offset())
                    .thenComparingLong(entry -> entry.getValue().size())
                    .thenComparing(Map.Entry::getKey);

    private PlanReport() {}

    /**
     * Writes the report of a plan.
     *
     * @param plan the plan
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void write(MemoryPlan plan, Appendable target) throws IOException {
        target.append("# arena_size=").append(Long.toString(plan.arenaSize()));
        target.append(" total_unshared=").append(Long.toString(plan.totalUnsharedBytes()));
        target.append(" saved=").append(Long.toString(plan.bytesSaved())).append('\n');
        List<Map.Entry<NodeId, BufferSlot>> rows = new ArrayList<>(plan.slots().entrySet());
        rows.sort(BY_OFFSET);
        for (Map.Entry<NodeId, BufferSlot> row : rows) {
            target.append(Long.toString(row.getValue().offset())).append('\t');
            target.append(Long.toString(row.getValue().size())).append('\t');
            target.append(Long.toString(row.getKey().value())).append('\n');
        }
    }
}
