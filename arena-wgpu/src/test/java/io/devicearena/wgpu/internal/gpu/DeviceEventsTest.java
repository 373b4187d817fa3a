package io.devicearena.wgpu.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceLostException;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import io.devicearena.wgpu.testing.TestDevices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder collects of a device. */
class DeviceEventsTest {
    private static final long CHUNK_BYTES = 4096;

    @TempDir
    Path folder;

    private final GpuDevice device = TestDevices.first();

    @AfterEach
    void close() {
        device.close();
    }

    private List<RecordedEvent> recorded(String name, Runnable work) throws IOException {
        Path file = folder.resolve("device.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(name).withoutThreshold();
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    void lostDevice_isRecordedOnceWithTheReason() throws IOException {
        List<RecordedEvent> events = recorded("io.devicearena.DeviceLost", () -> {
            device.destroy();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(device::checkAlive).isInstanceOf(DeviceLostException.class);
            }
        });
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("device")).isEqualTo(device.adapter().name());
            assertThat(event.getString("reason")).contains("is lost");
            assertThat(event.getStackTrace().getFrames())
                    .anyMatch(frame -> frame.getMethod().getName().equals("checkAlive"));
        });
    }

    @Test
    void waitForStaging_isRecorded() throws IOException {
        StagingRing ring = new StagingRing(device, CHUNK_BYTES, 1, false);
        List<RecordedEvent> events = recorded("io.devicearena.StagingWait", () -> {
            StagingBuffer first = ring.acquire();
            Thread waiter = new Thread(() -> releaseUnmapped(ring, ring.acquire()));
            waiter.start();
            while (waiter.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            releaseUnmapped(ring, first);
            join(waiter);
            releaseUnmapped(ring, ring.acquire()); // the first poll finds a mapped chunk: no wait
        });
        ring.trim();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("device")).isEqualTo(device.adapter().name());
            assertThat(event.getLong("stagingBytes")).isEqualTo(CHUNK_BYTES);
            assertThat(event.getDuration()).isPositive();
        });
    }

    private static void releaseUnmapped(StagingRing ring, StagingBuffer chunk) {
        chunk.unmap();
        ring.release(chunk);
    }

    @Test
    void submission_isRecordedWithItsNumber() throws IOException {
        long before = device.queue().submissions();
        List<RecordedEvent> events = recorded("io.devicearena.Submission", () -> {
            try (Commands commands = new Commands(device).begin()) {
                commands.submit();
            }
        });
        long after = device.queue().submissions();
        assertThat(events).hasSize((int) (after - before)).isNotEmpty();
        assertThat(events.getLast().getLong("number")).isEqualTo(after);
        assertThat(events.getLast().getString("device"))
                .isEqualTo(device.adapter().name());
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutARecording_nothingBegins() {
        assertThat(WgpuRecorder.beginRun()).isNull();
        assertThat(WgpuRecorder.beginSubmission()).isNull();
        assertThat(WgpuRecorder.beginStagingWait()).isNull();
    }
}
