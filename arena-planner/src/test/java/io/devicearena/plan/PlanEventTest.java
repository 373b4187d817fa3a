package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.plan.internal.recording.PlanRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder collects of a plan. */
class PlanEventTest {
    @TempDir
    Path folder;

    private static PlanResult plan() {
        return MemoryPlanner.plan(
                List.of(new LiveBuffer(NodeId.of(1), 0, 2, 64), new LiveBuffer(NodeId.of(2), 1, 3, 32)),
                PlanOptions.f32Uniform(16));
    }

    @Test
    void plan_isRecordedWithItsRatio() throws IOException {
        Path file = folder.resolve("plan.jfr");
        PlanResult result;
        try (Recording recording = new Recording()) {
            recording.enable("io.devicearena.Plan");
            recording.start();
            result = plan();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.devicearena.Plan"))
                .toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("strategy")).isEqualTo(result.strategy());
            assertThat(event.getInt("buffers")).isEqualTo(2);
            assertThat(event.getLong("arenaBytes")).isEqualTo(96);
            assertThat(event.getLong("lowerBoundBytes")).isEqualTo(96);
            assertThat(event.getDouble("ratio")).isEqualTo(1);
            assertThat(event.getDuration()).isPositive();
        });
    }

    @Test
    void withoutARecording_nothingBegins() {
        assertThat(PlanRecorder.begin()).isNull();
    }
}
