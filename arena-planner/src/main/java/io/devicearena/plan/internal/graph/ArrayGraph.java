package io.devicearena.plan.internal.graph;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.function.IntFunction;

/**
 * A graph as arrays, one entry a node in execution order. Nodes are numbers from 0: their positions in this order.
 *
 * <p>A <em>step</em> is the execution of one op that writes its value to memory. Values that the host writes, views and
 * fused ops execute nothing of their own and take no step.
 */
public final class ArrayGraph {
    /** Where a value comes from: the host writes it once, or before each execution, or an op makes it. */
    public enum Kind {
        WEIGHT,
        INPUT,
        OP
    }

    private final IntFunction<String> names;
    private final NodeId[] ids;
    private final Kind[] kinds;
    private final DType[] dtypes;
    private final long[] elements;
    private final boolean[] outputs;
    private final boolean[] fused;
    private final boolean[] concatenations;
    private final int[] parents; // of a view: what it shows, which may be a view as well; else the node itself
    private final int[] roots;
    private final long[] firstElements;
    private final int[] steps; // computed values before each position
    private CsrAdjacency inputs = CsrAdjacency.EMPTY;
    private CsrAdjacency inPlaceInputs = CsrAdjacency.EMPTY;
    private CsrAdjacency controlDependencies = CsrAdjacency.EMPTY;

    /**
     * Makes a graph to be filled: first every node in order with {@link #set}, then the references with
     * {@link #setReferences}, then views in order with {@link #setView}, outputs, and {@link #finish}.
     */
    public ArrayGraph(int count, IntFunction<String> names) {
        this.names = names;
        ids = new NodeId[count];
        kinds = new Kind[count];
        dtypes = new DType[count];
        elements = new long[count];
        outputs = new boolean[count];
        fused = new boolean[count];
        concatenations = new boolean[count];
        parents = new int[count];
        roots = new int[count];
        firstElements = new long[count];
        steps = new int[count + 1];
    }

    public void set(
            int i, NodeId id, Kind kind, DType dtype, long elementCount, boolean isFused, boolean isConcatenation) {
        ids[i] = id;
        kinds[i] = kind;
        dtypes[i] = dtype;
        elements[i] = elementCount;
        fused[i] = isFused;
        concatenations[i] = isConcatenation;
        parents[i] = i;
        roots[i] = i;
    }

    /** Sets which nodes each node reads, may be written over, and must run after without reading them. */
    public void setReferences(CsrAdjacency reads, CsrAdjacency inPlace, CsrAdjacency runsAfter) {
        inputs = reads;
        inPlaceInputs = inPlace;
        controlDependencies = runsAfter;
    }

    public void setView(int i, int parent, long firstElement) {
        parents[i] = parent;
        roots[i] = roots[parent];
        firstElements[i] = firstElements[parent] + firstElement;
    }

    public void setOutput(int i) {
        outputs[i] = true;
    }

    /** Numbers the steps, once all else is set. */
    public void finish() {
        for (int i = 0; i < ids.length; i++) {
            steps[i + 1] = steps[i] + (isComputed(i) ? 1 : 0);
        }
    }

    /** The same graph with these nodes at the positions 0, 1 and so on, every node after all that it depends on. */
    public ArrayGraph inOrder(int[] order) {
        ArrayGraph other = new ArrayGraph(order.length, i -> name(order[i]));
        int[] positions = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            int node = order[i];
            positions[node] = i;
            other.set(i, ids[node], kinds[node], dtypes[node], elements[node], fused[node], concatenations[node]);
            other.outputs[i] = outputs[node];
        }
        other.setReferences(
                inputs.inOrder(order, positions),
                inPlaceInputs.inOrder(order, positions),
                controlDependencies.inOrder(order, positions));
        for (int i = 0; i < order.length; i++) {
            int node = order[i];
            other.parents[i] = positions[parents[node]];
            other.roots[i] = positions[roots[node]];
            other.firstElements[i] = firstElements[node];
        }
        other.finish();
        return other;
    }

    public int count() {
        return ids.length;
    }

    /** How many steps the execution takes; 1 for a graph without ops, so that its values are live at a step. */
    public int steps() {
        return Math.max(1, steps[ids.length]);
    }

    /** How many steps come before position i: the step of node i if it takes one. */
    public int step(int i) {
        return steps[i];
    }

    public String name(int i) {
        return names.apply(i);
    }

    public NodeId id(int i) {
        return ids[i];
    }

    public DType dtype(int i) {
        return dtypes[i];
    }

    public long elements(int i) {
        return elements[i];
    }

    public boolean isWeight(int i) {
        return kinds[i] == Kind.WEIGHT;
    }

    /** Whether the host writes the value, so that it is live at every step. */
    public boolean isPersistent(int i) {
        return kinds[i] != Kind.OP;
    }

    /** Whether the op runs within those that read it, so that its value is never in memory. */
    public boolean isFused(int i) {
        return fused[i];
    }

    public boolean isOutput(int i) {
        return outputs[i];
    }

    public boolean isView(int i) {
        return roots[i] != i;
    }

    /** Whether an op writes the value to bytes that no other value owns, which takes a step. */
    public boolean isComputed(int i) {
        return kinds[i] == Kind.OP && !fused[i] && roots[i] == i;
    }

    /** The value that a view is declared to show, which may be a view as well; itself for any other value. */
    public int parent(int i) {
        return parents[i];
    }

    /** The value that owns the bytes of this one; itself unless it is a view. */
    public int root(int i) {
        return roots[i];
    }

    /** Elements of the root before this value; 0 unless it is a view. */
    public long firstElement(int i) {
        return firstElements[i];
    }

    public boolean isWhole(int i) {
        return firstElements[i] == 0 && elements[i] == elements[roots[i]];
    }

    /** Whether value i is its inputs, one after another, in a slot of its own. */
    public boolean isConcatenation(int i) {
        return concatenations[i] && isComputed(i);
    }

    public int inputCount(int i) {
        return inputs.count(i);
    }

    public int input(int i, int k) {
        return inputs.get(i, k);
    }

    /** How many inputs the value of op i may be written over; 0 for a value without a slot of its own. */
    public int inPlaceCount(int i) {
        return isComputed(i) ? inPlaceInputs.count(i) : 0;
    }

    public int inPlaceInput(int i, int k) {
        return inPlaceInputs.get(i, k);
    }

    public CsrAdjacency controlDependencies() {
        return controlDependencies;
    }
}
