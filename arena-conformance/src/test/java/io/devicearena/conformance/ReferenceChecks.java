package io.devicearena.conformance;

import io.devicearena.NodeId;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.List;
import java.util.function.Supplier;

/** Checks that find nothing; subclasses replace how a step runs. Threads: safe for any thread. */
class ReferenceChecks implements ExecutionChecks {
    @Override
    public void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        work.run();
    }

    @Override
    public void begin() {}

    @Override
    public void write(List<Span> spans, Runnable move) {
        move.run();
    }

    @Override
    public void requireReadable(List<Span> spans) {}

    @Override
    public CheckedRange range(NodeId id, long begin, long end) {
        return new CheckedRange(this, id, begin, end);
    }

    @Override
    public void step(CheckedStep step, Runnable work) {
        work.run();
    }

    @Override
    public <T> T together(Supplier<T> steps) {
        return steps.get();
    }

    @Override
    public void markWritten(List<NodeId> ids) {}
}
