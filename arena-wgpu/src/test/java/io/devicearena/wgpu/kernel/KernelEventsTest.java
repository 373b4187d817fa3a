package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder and the times of a program report about runs and steps. */
class KernelEventsTest {
    @TempDir
    Path folder;

    private static KernelProgram addition(Kernels kernels) {
        return kernels.recorder()
                .labelled("layer 0")
                .dispatch(
                        kernels.compile(ADD),
                        Bindings.of(
                                kernels.window(A),
                                kernels.window(B),
                                kernels.window(C),
                                kernels.uniform(ELEMENTS, Float.floatToRawIntBits(1))),
                        Workgroups.covering(ELEMENTS, 64))
                .build();
    }

    @Test
    void aRecordingHasRunsAndSteps() throws IOException {
        Path file = folder.resolve("runs.jfr");
        boolean timed;
        try (DeviceArena arena = KernelArenas.open();
                Recording recording = new Recording()) {
            KernelProgram program = addition(kernels(arena));
            timed = kernels(arena).facts().hasTimestamps();
            program.submit();
            recording.enable("io.devicearena.ProgramRun");
            recording.enable("io.devicearena.KernelStep");
            recording.start();
            program.run(
                    Batch.builder().floats(A, DType.F32, new float[8]).build(),
                    Batch.builder().floats(C, DType.F32, new float[5]).build());
            if (timed) {
                assertThat(program.time()).hasSize(1);
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        List<RecordedEvent> runs = all(events, "io.devicearena.ProgramRun");
        assertThat(runs).hasSize(timed ? 2 : 1);
        RecordedEvent run = runs.getFirst();
        assertThat(run.getString("device")).isNotEmpty();
        assertThat(run.getLong("submissions")).isEqualTo(1);
        assertThat(run.getLong("deviceTime")).isEqualTo(Long.MIN_VALUE);
        assertThat(run.getString("arena")).isEqualTo("test");
        assertThat(run.getInt("steps")).isEqualTo(1);
        assertThat(run.getLong("inputBytes")).isEqualTo(32);
        assertThat(run.getLong("readBytes")).isEqualTo(20);
        assertThat(run.getDuration("waitingTime")).isPositive().isLessThanOrEqualTo(run.getDuration());
        if (timed) {
            RecordedEvent step = only(events, "io.devicearena.KernelStep");
            assertThat(step.getString("arena")).isEqualTo("test");
            assertThat(step.getString("step")).isEqualTo("layer 0");
            assertThat(step.getString("kernel")).isEqualTo("add");
            assertThat(step.getString("written")).isEqualTo("node 2");
            assertThat(step.getLong("deviceTime"))
                    .isNotNegative()
                    .isEqualTo(runs.getLast().getLong("deviceTime"));
        }
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name) {
        List<RecordedEvent> found = all(events, name);
        assertThat(found).as(name).hasSize(1);
        return found.getFirst();
    }

    private static List<RecordedEvent> all(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    void time_namesTheWrittenValues() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            if (!kernels.facts().hasTimestamps()) {
                return;
            }
            assertThat(addition(kernels).time()).singleElement().satisfies(time -> {
                assertThat(time.label()).isEqualTo("layer 0");
                assertThat(time.kernel()).isEqualTo("add");
                assertThat(time.written()).containsExactly(C);
            });
        }
    }
}
