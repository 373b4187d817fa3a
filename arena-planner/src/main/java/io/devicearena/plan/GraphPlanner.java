package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.SlotSharing;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Plans a graph in one order of execution: persistent values first, then all other slots by the placement strategy.
 * Sharing slots saves bytes but is harder to place, and one way to share may rule out another. So each {@link
 * SlotSharing.Mode} is a candidate, placed in the order of lower bounds while it can be smaller than the best plan.
 */
final class GraphPlanner {
    private static final SlotSharing.Mode[] WITHOUT_REUSE = {SlotSharing.Mode.NONE};

    private final ArrayGraph graph;
    private final PlanOptions options;
    private final SlotSizes sizes;
    private final SharedLayout layout;
    private final long[] persistentOffsets;
    private final long persistentBytes; // without gaps
    private final long origin; // where the values begin that the placement strategy places
    private final long lowerBound; // of all plans in this order, whichever values share slots

    GraphPlanner(SlotSizes sizes, PlanOptions options, SharedLayout layout) {
        this.graph = sizes.graph();
        this.options = options;
        this.sizes = sizes;
        this.layout = layout;
        this.persistentOffsets = new long[graph.count()];
        this.persistentBytes = persistent().mapToLong(sizes::slot).sum();
        this.origin = placePersistent();
        requireCountable();
        this.lowerBound = persistentBytes + SlotSharing.lowerBound(sizes, SlotSharing.Mode.BOTH);
    }

    long lowerBound() {
        return lowerBound;
    }

    /** The smallest plan, of those whose values lie within segments if there are such plans. */
    PlacedGraph plan() {
        List<Candidate> candidates = candidates();
        PlacedGraph best = place(candidates.getFirst());
        for (Candidate candidate : candidates.subList(1, candidates.size())) {
            boolean opens = layout.opens(best.plan());
            long size = best.plan().arenaSize();
            if (!opens || (!options.strategy().isGoodEnough(size) && persistentBytes + candidate.lowerBound() < size)) {
                PlacedGraph other = place(candidate);
                best = layout.isBetter(other.plan(), best.plan()) ? other : best;
            }
        }
        return best;
    }

    private record Candidate(SlotSharing sharing, PlacementProblem problem, long lowerBound) {}

    /** The different ways to share slots, the one with the lowest bound first. */
    private List<Candidate> candidates() {
        Map<List<SlotSharing.Alias>, Candidate> candidates = new LinkedHashMap<>();
        for (SlotSharing.Mode mode : options.reuse() ? SlotSharing.Mode.values() : WITHOUT_REUSE) {
            SlotSharing sharing = new SlotSharing(graph, sizes, mode);
            candidates.computeIfAbsent(sharing.aliases(), aliases -> candidate(sharing));
            if (sharing.aliases().isEmpty() && mode == SlotSharing.Mode.BOTH) {
                break; // no values may share a slot
            }
        }
        return candidates.values().stream()
                .sorted(Comparator.comparingLong(Candidate::lowerBound))
                .toList();
    }

    private Candidate candidate(SlotSharing sharing) {
        int[] owners = owners(sharing);
        PlacementProblem problem = new PlacementProblem(
                Arrays.stream(owners).mapToLong(sizes::slot).toArray(),
                Arrays.stream(owners)
                        .mapToLong(i -> options.reuse() ? sharing.slotFirstStep(i) : 0)
                        .toArray(),
                Arrays.stream(owners)
                        .mapToLong(i -> options.reuse() ? sharing.slotEndStep(i) : graph.steps())
                        .toArray(),
                options.alignment(),
                layout.limit(),
                origin - layout.limitStart());
        return new Candidate(sharing, problem, problem.lowerBound());
    }

    private int[] owners(SlotSharing sharing) {
        return IntStream.range(0, graph.count()).filter(sharing::isOwner).toArray();
    }

    private PlacedGraph place(Candidate candidate) {
        SlotSharing sharing = candidate.sharing();
        int[] owners = owners(sharing);
        BitSet withParts = layout.freeSegmentBytes() > 0 ? ownersWithParts(sharing) : new BitSet();
        long[] placed = SegmentedPlacement.place(
                options.strategy(), candidate.problem(), layout.freeSegmentBytes(), k -> withParts.get(owners[k]));
        long[] offsets = persistentOffsets.clone();
        for (int k = 0; k < owners.length; k++) {
            offsets[owners[k]] = layout.limitStart() + placed[k];
        }
        return new PlacedGraph(sizes, sharing, offsets, lowerBound, options, layout);
    }

    static PlanValue value(ArrayGraph graph, int i, PlanOptions options) {
        ArrayGraph.Value value = graph.value(i);
        NodeRole role = graph.isOutput(i) && !graph.isPersistent(i) ? NodeRole.OUTPUT : value.role();
        int parent = graph.isUpdate(i) ? graph.root(i) : graph.parent(i);
        Optional<NodeId> partOf = parent == i ? Optional.empty() : Optional.of(graph.id(parent));
        return new PlanValue(value.name(), role, options.storedType(value.dtype()), graph.shape(i), partOf);
    }

    /** The values in whose slots smaller values lie. */
    private BitSet ownersWithParts(SlotSharing sharing) {
        BitSet found = new BitSet();
        for (int i = 0; i < graph.count(); i++) {
            int owner = graph.isFused(i) ? i : sharing.owner(graph.root(i));
            if (sizes.slot(i) < sizes.slot(owner)) {
                found.set(owner);
            }
        }
        return found;
    }

    /** Places inputs behind the shared values, one behind the other; returns the first byte behind them. */
    private long placePersistent() {
        BumpAllocator allocator = new BumpAllocator(layout.end() - layout.limitStart(), layout.limit());
        persistent()
                .forEach(i -> persistentOffsets[i] = graph.isShared(i)
                        ? layout.offset(graph.id(i))
                        : layout.limitStart()
                                + allocator
                                        .allocate(graph.name(i), sizes.slot(i))
                                        .offset());
        return layout.limitStart() + allocator.end();
    }

    private IntStream persistent() {
        return IntStream.range(0, graph.count())
                .filter(i -> graph.isPersistent(i) && !graph.isView(i) && !isLeftOut(graph, i, options));
    }

    /** Whether a value is in the plan of the weights instead. */
    static boolean isLeftOut(ArrayGraph graph, int i, PlanOptions options) {
        return options.separateWeights() && graph.isWeight(i);
    }

    /** Checks the most that the arena could need; with a boundary each value can need a gap of its own size. */
    private void requireCountable() {
        int times = options.boundary() > 0 || options.segmentBytes() > 0 ? 2 : 1;
        long most = origin;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isComputed(i)) {
                long size = sizes.slot(i);
                if (size > (Long.MAX_VALUE - most) / times) {
                    throw BumpAllocator.tooMany(graph.name(i), size, most);
                }
                most += times * size;
            }
        }
    }
}
