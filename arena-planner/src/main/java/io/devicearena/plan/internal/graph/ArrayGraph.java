package io.devicearena.plan.internal.graph;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.size.SizeExpression;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A graph as arrays, one entry a node in execution order. Nodes are numbers from 0: their positions in this order.
 *
 * <p>A <em>step</em> is the execution of one op that writes its value to memory. Values that the host writes, views and
 * fused ops execute nothing of their own and take no step.
 */
public final class ArrayGraph {
    /** What does not depend on other nodes. */
    public record Value(
            NodeId id,
            String name,
            NodeRole role,
            DType dtype,
            List<SizeExpression> shape,
            SizeExpression size,
            boolean isFused,
            boolean isConcatenation) {
        Value at(Map<String, Long> sizes) {
            List<SizeExpression> fixed =
                    shape.stream().map(each -> each.fixedAt(sizes)).toList();
            return new Value(id, name, role, dtype, fixed, size.fixedAt(sizes), isFused, isConcatenation);
        }
    }

    private static final SizeExpression NONE = SizeExpression.of(0);

    private final Value[] values;
    private final boolean[] outputs;
    private final boolean[] updates;
    private final int[] parents;
    private final int[] roots;
    private final long[] elements;
    private final SizeExpression[] starts;
    private final int[] steps; // computed values before each position
    private final long[] looks; // counted in one place for a graph in all its orders
    private int[] phaseEnds;
    private int[][] inputs = {};
    private int[][] inPlaceInputs = {};
    private int[][] controlDependencies = {};

    /** Makes a graph to be filled: values, then references, then views in order and outputs, then {@link #finish}. */
    public ArrayGraph(int count) {
        this(count, new long[1]);
    }

    private ArrayGraph(int count, long[] looks) {
        this.looks = looks;
        values = new Value[count];
        outputs = new boolean[count];
        updates = new boolean[count];
        parents = new int[count];
        roots = new int[count];
        elements = new long[count];
        starts = new SizeExpression[count];
        steps = new int[count + 1];
        phaseEnds = new int[] {count};
        Arrays.fill(starts, NONE);
        Arrays.setAll(parents, i -> i);
        Arrays.setAll(roots, i -> i);
    }

    public void set(int i, Value value) {
        values[i] = value;
        elements[i] = value.size().atMost();
    }

    /** Sets which nodes each node reads, may be written over, and must run after without reading them. */
    public void setReferences(int[][] reads, int[][] inPlace, int[][] runsAfter) {
        inputs = reads;
        inPlaceInputs = inPlace;
        controlDependencies = runsAfter;
    }

    /** Sets behind which position each of several phases ends. */
    public void setPhaseEnds(int... ends) {
        phaseEnds = ends;
    }

    public void setView(int i, int parent, SizeExpression start) {
        addControlDependencies(i, parent);
        parents[i] = parent;
        roots[i] = roots[parent];
        starts[i] = starts[parent].plus(start);
    }

    /** Makes op i change a state, or an earlier update of it, in place. */
    public void setUpdate(int i, int updated) {
        setView(i, updated, NONE);
        updates[i] = true;
    }

    public void addControlDependencies(int i, int... earlier) {
        controlDependencies[i] = IntStream.concat(Arrays.stream(controlDependencies[i]), Arrays.stream(earlier))
                .toArray();
    }

    public void setOutput(int i) {
        outputs[i] = true;
    }

    /** Numbers the steps, once all else is set. */
    public void finish() {
        for (int i = 0; i < values.length; i++) {
            steps[i + 1] = steps[i] + (isComputed(i) || updates[i] ? 1 : 0);
        }
    }

    /** The same graph with these nodes at the positions 0, 1 and so on, every node after all that it depends on. */
    public ArrayGraph inOrder(int[] order) {
        int[] positions = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            positions[order[i]] = i;
        }
        ArrayGraph other = new ArrayGraph(order.length, looks);
        for (int i = 0; i < order.length; i++) {
            int node = order[i];
            other.set(i, values[node]);
            other.outputs[i] = outputs[node];
            other.updates[i] = updates[node];
            other.parents[i] = positions[parents[node]];
            other.roots[i] = positions[roots[node]];
            other.starts[i] = starts[node];
        }
        other.setReferences(
                inOrder(inputs, order, positions),
                inOrder(inPlaceInputs, order, positions),
                inOrder(controlDependencies, order, positions));
        other.finish();
        return other;
    }

    /** The same graph at some sizes, with the same nodes at the same positions. */
    public ArrayGraph at(Map<String, Long> sizes) {
        ArrayGraph other = inOrder(IntStream.range(0, count()).toArray());
        for (int i = 0; i < count(); i++) {
            other.set(i, values[i].at(sizes));
            other.starts[i] = starts[i].fixedAt(sizes);
        }
        return other;
    }

    private static int[][] inOrder(int[][] lists, int[] order, int[] positions) {
        return NodeLists.of(
                order.length,
                i -> Arrays.stream(lists[order[i]]).map(node -> positions[node]).toArray());
    }

    public int count() {
        return values.length;
    }

    /** How often nodes were looked at so far, and what they refer to: the work of planning, in steps for tests. */
    public long looks() {
        return looks[0];
    }

    /** How many steps the execution takes; 1 for a graph without ops, so that its values are live at a step. */
    public int steps() {
        return Math.max(1, steps[values.length]);
    }

    /** Behind which position each phase ends: all of it runs before the next one. One phase in a reordered graph. */
    public int[] phaseEnds() {
        return phaseEnds;
    }

    /** How many steps come before position i: the step of node i if it takes one. */
    public int step(int i) {
        return steps[i];
    }

    /** The value as messages write it: the id, and the node's name where that says more. */
    public String name(int i) {
        String id = id(i).toString();
        return id.equals(values[i].name()) ? id : id + " '" + values[i].name() + "'";
    }

    public Value value(int i) {
        return values[i];
    }

    public NodeId id(int i) {
        return values[i].id();
    }

    public DType dtype(int i) {
        return values[i].dtype();
    }

    /** The elements at the upper bounds of all dimensions. */
    public long elements(int i) {
        return elements[i];
    }

    /** The shape at the upper bounds of all dimensions. */
    public List<Long> shape(int i) {
        return values[i].shape().stream().map(SizeExpression::atMost).toList();
    }

    /** The elements at all sizes. */
    public SizeExpression size(int i) {
        return values[i].size();
    }

    /** Whether graphs of one arena have the value in common: a parameter, constant or state. */
    public boolean isShared(int i) {
        return values[i].role().isShared();
    }

    /** Whether the bytes are those of a parameter or constant, which no op changes. */
    public boolean isWeight(int i) {
        NodeRole role = values[roots[i]].role();
        return role.isShared() && role != NodeRole.STATE;
    }

    /** Whether the host writes the value, so that it is live at every step. */
    public boolean isPersistent(int i) {
        return values[i].role().isPersistent();
    }

    /** Whether the op runs within those that read it, so that its value is never in memory. */
    public boolean isFused(int i) {
        return values[i].isFused();
    }

    public boolean isOutput(int i) {
        return outputs[i];
    }

    public boolean isView(int i) {
        return roots[i] != i && !updates[i];
    }

    /** Whether an op writes the value over a state, which takes a step. */
    public boolean isUpdate(int i) {
        return updates[i];
    }

    /** Whether an op writes the value to bytes that no other value owns, which takes a step. */
    public boolean isComputed(int i) {
        return !isPersistent(i) && !isFused(i) && roots[i] == i;
    }

    /** What a view shows or an update changes; itself for any other value. */
    public int parent(int i) {
        return parents[i];
    }

    /** The value that owns the bytes of this one; itself unless it is a view or an update. */
    public int root(int i) {
        looks[0]++;
        return roots[i];
    }

    /** Elements of the root before this value; 0 unless it is a view. */
    public SizeExpression start(int i) {
        return starts[i];
    }

    /** Whether a value is all of its root, at all sizes. */
    public boolean isWhole(int i) {
        return starts[i].equals(NONE) && size(i).equals(size(roots[i]));
    }

    /** Whether value i is its inputs, one after another, in a slot of its own. */
    public boolean isConcatenation(int i) {
        return values[i].isConcatenation() && isComputed(i);
    }

    /** The nodes that node i reads; the graph's own array. */
    public int[] inputs(int i) {
        looks[0] += 1 + inputs[i].length;
        return inputs[i];
    }

    /** The inputs that the value of op i may be written over; the graph's own array. */
    public int[] inPlaceInputs(int i) {
        looks[0] += 1 + inPlaceInputs[i].length;
        return inPlaceInputs[i];
    }

    /** What node i must run after without reading it; of a view also what it shows. The graph's own array. */
    public int[] controlDependencies(int i) {
        looks[0] += 1 + controlDependencies[i].length;
        return controlDependencies[i];
    }
}
