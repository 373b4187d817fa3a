package io.devicearena.bench.published;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * A model of what an engine does for the memory of its tensors, written from the documentation of that engine.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name what reports call it
 * @param plansAhead whether addresses are known before the first execution, which then asks for nothing
 * @param allocator makes its allocator for a device
 */
public record EngineModel(String name, boolean plansAhead, Function<DeviceMemory, StepAllocator> allocator) {
    /** The models, in the order of reports. */
    public static final List<EngineModel> ALL = List.of(
            new EngineModel("a buffer for each tensor", false, device -> device::allocate),
            new EngineModel("a bump allocator", false, device -> device::append),
            new EngineModel("ONNX Runtime's arena", false, OnnxRuntimeArena::new),
            new EngineModel("PyTorch's caching allocator", false, PyTorchCache::new),
            new EngineModel("ggml's allocator", true, GgmlAllocator::new));

    /**
     * One execution of a graph with an allocator that had no memory before.
     *
     * <p><b>Threads:</b> immutable; callers leave the array as it is.
     *
     * @param addresses where each buffer lay; 0 for those without bytes
     * @param deviceBytes the memory of the device that the allocator holds at the end
     * @param deviceAllocations how often it asked the device for memory
     * @param requests how often the engine asked the allocator
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Execution(long[] addresses, long deviceBytes, int deviceAllocations, int requests) {}

    /**
     * Goes through the steps in order: at each, buffers that are no longer live are freed, then those whose live range
     * begins are allocated by index.
     *
     * @param problem the buffers
     * @return what the allocator did
     */
    public Execution execute(PlacementProblem problem) {
        DeviceMemory device = new DeviceMemory();
        StepAllocator memory = allocator.apply(device);
        long[] addresses = new long[problem.count()];
        List<Integer> byEnd = BufferOrder.sorted(problem, Comparator.comparingLong(problem::upper));
        List<Integer> byFirstStep = BufferOrder.sorted(problem, Comparator.comparingLong(problem::lower));
        int freed = 0;
        for (int buffer : byFirstStep) {
            for (; problem.upper(byEnd.get(freed)) <= problem.lower(buffer); freed++) {
                memory.free(addresses[byEnd.get(freed)]);
            }
            addresses[buffer] = memory.allocate(problem.size(buffer));
        }
        return new Execution(addresses, device.bytes(), device.allocations(), byEnd.size());
    }
}
