package io.devicearena.cuda.internal.compute;

import io.devicearena.cuda.internal.arena.CudaBackend;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.transfer.GraphRun;
import io.devicearena.kernel.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A run of a program whose dispatches are between events of the graph, so that no call of the host is in their times.
 *
 * <p>Threads: one thread.
 */
final class TimedRun {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    /** The events before and behind each dispatch, in turn. */
    private final List<Long> events = new ArrayList<>();

    private TimedRun() {}

    /**
     * Runs steps once, waits, and returns the times of the dispatches; the context is current.
     *
     * @param discard frees the run, at the latest with its program
     */
    static List<StepTime> time(CudaBackend backend, List<ProgramRecorder.Step> steps, Consumer<GraphRun> discard) {
        TimedRun run = new TimedRun();
        try {
            GraphRun graph = backend.transfers()
                    .record(
                            List.of(),
                            List.of(),
                            backend.arena(),
                            backend.shadow(),
                            backend.mirrors(),
                            stream -> run.record(steps, stream));
            try {
                graph.launch();
                graph.await();
            } finally {
                boolean _ = backend.transfers().context().settle();
                discard.accept(graph);
            }
            return run.times(steps);
        } finally {
            run.events.forEach(Cuda::destroyEvent);
        }
    }

    private void record(List<ProgramRecorder.Step> steps, long stream) {
        for (ProgramRecorder.Step step : steps) {
            if (step.untimed() == null) {
                step.enqueue().accept(stream);
            } else {
                mark(stream);
                step.enqueue().accept(stream);
                mark(stream);
            }
        }
    }

    private void mark(long stream) {
        long event = Cuda.CREATE_EVENT.answer(0);
        events.add(event);
        Cuda.RECORD_WITH_FLAGS.call(event, stream, Cuda.EVENT_RECORD_EXTERNAL);
    }

    private List<StepTime> times(List<ProgramRecorder.Step> steps) {
        List<StepTime> times = new ArrayList<>();
        for (ProgramRecorder.Step step : steps) {
            StepTime untimed = step.untimed();
            if (untimed != null) {
                int first = 2 * times.size();
                int bits = (int) Cuda.ELAPSED.answer(events.get(first), events.get(first + 1));
                double nanos = NANOS_PER_MILLISECOND * Float.intBitsToFloat(bits);
                times.add(new StepTime(untimed.label(), untimed.kernel(), untimed.written(), Math.round(nanos)));
            }
        }
        return times;
    }
}
