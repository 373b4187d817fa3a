package io.devicearena.weights;

import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.weights.internal.loading.Assignment;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Streams the tensors of a file into the values of an arena.
 *
 * <p>Threads read the file into host memory from which the device copies by itself ({@link
 * DeviceArena#allocateHost}), with no copy between; the device copies while they read on. An emulated GPU has no copies
 * of its own: the calling thread writes to it from the mapped file. Tensors of F32, F16 and BF16 are converted where
 * the value has another of these types; I64 goes into values of I32, U64 into U32 and BOOL into U32 or I32, where each
 * number is checked; types in blocks are decoded where {@link #withDequantisation} asks for it, and
 * go as they are into values of U8 with as many elements as the tensor has bytes. Memory stays bounded: two buffers of
 * 4 MiB for each reading thread, one of 8 MiB for conversions, and one of 16 MiB for verification.
 *
 * <p>A loader does not change; each {@code with} method returns another.
 *
 * <p><b>Threads:</b> immutable; several loads may run at once. Conversions use the common pool, reading uses threads of
 * its own.
 */
public final class WeightLoader {
    /** Measured from the page cache into an H200: 22.7 GB/s, with fewer 19.4 to 21.5. */
    private static final int USUAL_READERS = 8;

    private static final int MOST_READERS = 64;

    private final WeightSource file;
    private final DeviceArena arena;
    private Map<String, NodeId> values;
    private boolean dequantise;
    private boolean verify;
    private Set<String> transposed = Set.of();
    private Consumer<LoadProgress> listener = progress -> {};
    private BooleanSupplier cancelled = () -> false;
    private int readers = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, USUAL_READERS);

    private WeightLoader(WeightSource file, DeviceArena arena, Map<String, NodeId> values) {
        this.file = file;
        this.arena = arena;
        this.values = values;
    }

    /**
     * Makes a loader for the parameters and constants of the arena's plan; their names are those of tensors.
     *
     * @param file the weights
     * @param arena the arena; its plan must know values ({@link MemoryPlan#values}), or {@link #withValues} must
     * @return the loader
     * @throws IllegalStateException if the arena is closed
     */
    public static WeightLoader of(WeightSource file, DeviceArena arena) {
        Objects.requireNonNull(file, "file");
        Map<String, NodeId> values = new LinkedHashMap<>();
        arena.plan().values().forEach((id, value) -> {
            if (isWeight(value)) {
                values.put(value.name(), id);
            }
        });
        return new WeightLoader(file, arena, values);
    }

    private static boolean isWeight(PlanValue value) {
        return (value.role() == NodeRole.PARAMETER || value.role() == NodeRole.CONSTANT)
                && value.partOf().isEmpty();
    }

    private WeightLoader copy() {
        WeightLoader copy = new WeightLoader(file, arena, values);
        copy.dequantise = dequantise;
        copy.verify = verify;
        copy.transposed = transposed;
        copy.listener = listener;
        copy.cancelled = cancelled;
        copy.readers = readers;
        return copy;
    }

    /**
     * {@return a loader for other values, or under other names}
     *
     * @param byTensor the value of each tensor, by the tensor's name
     */
    public WeightLoader withValues(Map<String, NodeId> byTensor) {
        WeightLoader changed = copy();
        changed.values = new LinkedHashMap<>(byTensor);
        return changed;
    }

    /**
     * {@return a loader that decodes Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K and Q6_K where the value is F32, F16 or
     * BF16}
     */
    public WeightLoader withDequantisation() {
        WeightLoader changed = copy();
        changed.dequantise = true;
        return changed;
    }

    /**
     * {@return a loader that writes some matrices with their columns as rows} Their values have the shape of the
     * transposed matrix.
     *
     * @param names the names of tensors of two dimensions, whose elements are not in blocks
     */
    public WeightLoader transposing(Set<String> names) {
        WeightLoader changed = copy();
        changed.transposed = Set.copyOf(names);
        return changed;
    }

    /** {@return a loader that reads every value back, and compares checksums (CRC-32C)} */
    public WeightLoader withVerification() {
        WeightLoader changed = copy();
        changed.verify = true;
        return changed;
    }

    /**
     * {@return a loader that reports progress}
     *
     * @param receiver called on the thread that loads, once or more for each tensor; what it throws ends the load
     */
    public WeightLoader withListener(Consumer<LoadProgress> receiver) {
        WeightLoader changed = copy();
        changed.listener = Objects.requireNonNull(receiver, "receiver");
        return changed;
    }

    /**
     * {@return a loader that can be cancelled}
     *
     * @param request asked with each progress; true ends the load with a {@link
     *     java.util.concurrent.CancellationException}
     */
    public WeightLoader withCancellation(BooleanSupplier request) {
        WeightLoader changed = copy();
        changed.cancelled = Objects.requireNonNull(request, "request");
        return changed;
    }

    /**
     * {@return a loader with another number of threads that read the file}
     *
     * @param threads 1 to 64; otherwise as many as the machine has processors, at most 8
     * @throws IllegalArgumentException if it is another number
     */
    public WeightLoader withReaders(int threads) {
        if (threads < 1 || threads > MOST_READERS) {
            throw new IllegalArgumentException("threads: expected 1 to " + MOST_READERS + ", got " + threads);
        }
        WeightLoader changed = copy();
        changed.readers = threads;
        return changed;
    }

    /**
     * Compares the file with the plan. Nothing is read or written.
     *
     * @return what goes where, and what does not fit
     * @throws IllegalStateException if the arena is closed
     */
    public WeightMatches matches() {
        return matches(new ArrayList<>());
    }

    private WeightMatches matches(List<Assignment> assignments) {
        MemoryPlan plan = arena.plan();
        List<String> missing = new ArrayList<>();
        List<String> mismatched = new ArrayList<>();
        values.forEach((name, id) -> file.tensor(name)
                .ifPresentOrElse(
                        tensor -> {
                            try {
                                assignments.add(Assignment.of(plan, id, tensor, dequantise, transposed.contains(name)));
                            } catch (IllegalArgumentException e) {
                                mismatched.add(e.getMessage());
                            }
                        },
                        () -> missing.add(plan.describe(id) + ": expected a tensor '" + name + "', got none")));
        assignments.sort(Comparator.comparing((Assignment a) -> a.tensor().file())
                .thenComparingLong(a -> a.tensor().offset()));
        Map<String, NodeId> matched = new LinkedHashMap<>();
        assignments.forEach(assignment -> matched.put(assignment.tensor().name(), assignment.value()));
        List<Tensor> leftOver = file.tensors().values().stream()
                .filter(tensor -> !values.containsKey(tensor.name()))
                .toList();
        return new WeightMatches(matched, missing, mismatched, leftOver);
    }

    /**
     * Writes the tensors, and waits until they are in the device's memory.
     *
     * @return what was loaded
     * @throws IllegalArgumentException if a value has no tensor, or one of another shape or type; the message lists
     *     them all, and nothing was written; or if an integer does not fit the value's type, some values are written
     * @throws WeightFileException if the file shrank or cannot be read
     * @throws java.util.concurrent.CancellationException if it was cancelled; some values are written
     * @throws io.devicearena.DeviceException if the device fails, or a value that is read back is not what was written
     * @throws IllegalStateException if the arena or the file is closed
     */
    public LoadReport load() {
        List<Assignment> assignments = new ArrayList<>();
        WeightMatches matches = matches(assignments);
        if (!matches.isComplete()) {
            List<String> lines = new ArrayList<>(matches.missing());
            lines.addAll(matches.mismatched());
            throw new IllegalArgumentException(
                    file + " does not fit the plan: " + String.join(System.lineSeparator(), lines));
        }
        LoadRun run = new LoadRun(file, arena, assignments, listener, cancelled, readers);
        Map<String, Long> checksums = run.write(verify);
        double seconds = run.seconds();
        if (verify) {
            run.verify(checksums);
        }
        long written = assignments.stream().mapToLong(Assignment::writtenBytes).sum();
        return new LoadReport(matches, run.totalBytes(), written, seconds, checksums);
    }
}
