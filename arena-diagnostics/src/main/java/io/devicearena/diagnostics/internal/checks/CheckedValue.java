package io.devicearena.diagnostics.internal.checks;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import org.jspecify.annotations.Nullable;

/** A value with a slot, as the checks of an execution see it. Threads: one thread at a time. */
final class CheckedValue {
    /** A kernel may write vectors of this many bytes, so a value may end within the last one. */
    private static final long VECTOR = 16;

    private final CheckedPlan plan;
    private final NodeId id;
    private final BufferSlot slot;
    private final @Nullable PlanValue known;
    private final int position;
    private @Nullable CheckedValue parent;
    /** When a step or the host wrote it by its name, and when a step read its bytes; 0 for never. */
    private long written;

    private long read;

    CheckedValue(CheckedPlan plan, NodeId id, BufferSlot slot, @Nullable PlanValue known, int position) {
        this.plan = plan;
        this.id = id;
        this.slot = slot;
        this.known = known;
        this.position = position;
    }

    void setParent(CheckedValue value) {
        parent = value;
    }

    CheckedPlan plan() {
        return plan;
    }

    NodeId id() {
        return id;
    }

    long begin() {
        return slot.offset();
    }

    long slotEnd() {
        return slot.end();
    }

    /**
     * The end of what a step may write: that of the last vector of the elements, without the guard behind it. Where
     * every element has 4 bytes, short integers have a slot with bytes to spare, and a kernel may use all of it.
     */
    long writableEnd() {
        if (known == null) {
            return slot.end();
        }
        int element = FloatBits.isFloat(known.dtype())
                ? known.dtype().bytes()
                : Math.max(Integer.BYTES, known.dtype().bytes());
        long bytes = known.elements() * element;
        return Math.min(slot.end(), begin() + ((bytes + (VECTOR - 1)) & -VECTOR));
    }

    /** The position in the schedule, or -1. */
    int position() {
        return position;
    }

    /** The value in whose bytes this one lies, itself for a value with bytes of its own. */
    CheckedValue root() {
        CheckedValue root = this;
        for (int depth = 0; root.parent != null && depth < plan.size(); depth++) {
            root = root.parent;
        }
        return root;
    }

    @Nullable CheckedValue parent() {
        return parent;
    }

    /** Whether this value is another one or lies in its bytes. */
    boolean isWithin(CheckedValue other) {
        CheckedValue value = this;
        for (int depth = 0; value != null && depth <= plan.size(); depth++) {
            if (value == other) {
                return true;
            }
            value = value.parent;
        }
        return false;
    }

    @Nullable NodeRole role() {
        return known == null ? null : known.role();
    }

    /** The type, or null if the plan does not know it. */
    @Nullable DType dtype() {
        return known == null ? null : known.dtype();
    }

    /** Whether an op makes the value, as far as the plan knows. */
    boolean isComputed() {
        return known != null && !known.role().isPersistent();
    }

    /** Whether the schedule has it, as an op or a view. */
    boolean isScheduled() {
        return isComputed() && position >= 0;
    }

    /** Whether its bytes are made anew in each run. */
    boolean isMade() {
        return !isKept() || update() != null;
    }

    long written() {
        return written;
    }

    void markWritten(long time) {
        written = time;
    }

    /** When a step read its bytes last; 0 for never. */
    long read() {
        return root().read;
    }

    void markRead(long time) {
        root().read = time;
    }

    /** Whether the bytes keep their value from run to run, or the plan does not know. */
    boolean isKept() {
        return !root().isComputed();
    }

    boolean isState() {
        return role() == NodeRole.STATE;
    }

    /** Whether an op makes this value by a change of a whole state. */
    boolean isUpdate() {
        CheckedValue state = root();
        return state.isState()
                && isComputed()
                && parent == state
                && slot.equals(state.slot)
                && known != null
                && state.known != null
                && known.bytes() == state.known.bytes();
    }

    /**
     * The update of a state that this value is or shows, or null. A plan does not say whether a whole state is a view
     * or an update: it is an update if a step has written it, or if it has the type and shape of the state.
     */
    @Nullable CheckedValue update() {
        CheckedValue value = this;
        for (int depth = 0; value != null && depth <= plan.size(); depth++) {
            if (value.isUpdate() && (value.written > 0 || value.hasShapeOf(value.root()))) {
                return value;
            }
            value = value.parent;
        }
        return null;
    }

    private boolean hasShapeOf(CheckedValue other) {
        return known != null
                && other.known != null
                && known.dtype() == other.known.dtype()
                && known.shape().equals(other.known.shape());
    }

    /**
     * Whether a value of another plan is the same one: shared by both, or made by this plan for the other one, as the
     * phases of a training step pass values on.
     */
    boolean isSharedWith(CheckedValue other) {
        CheckedValue mine = root();
        CheckedValue theirs = other.root();
        boolean passed = mine.isComputed()
                && (theirs.role() == NodeRole.INPUT || (theirs.written == 0 && mine.hasShapeOf(theirs)));
        return mine.id.equals(theirs.id)
                && mine.slot.equals(theirs.slot)
                && (passed || (mine.mayBeShared() && theirs.mayBeShared()));
    }

    private boolean mayBeShared() {
        return known == null || known.role().isShared();
    }

    @Override
    public String toString() {
        return plan.describe(id);
    }
}
