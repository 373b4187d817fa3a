package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.diagnostics.internal.events.RecordedArena;
import io.devicearena.spi.observation.ArenaIdentity;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder collects of an arena, with the settings that the jar holds. */
class ArenaEventsTest {
    private static final NodeId LEFT = NodeId.of(1);
    private static final NodeId RIGHT = NodeId.of(2);
    private static final MemoryPlan PLAN = new MemoryPlan(
            64, Map.of(LEFT, new BufferSlot(0, 32), RIGHT, new BufferSlot(32, 32)), List.of(LEFT, RIGHT));

    private static final ArenaIdentity SEEN = new ArenaIdentity("seen", TestProvider.DEVICE, 64, 1, false);

    @TempDir
    Path folder;

    private static DeviceArena open() {
        return TestProvider.open(PLAN, ArenaOptions.defaults().withLabel("seen"));
    }

    private static Configuration settings() throws IOException, ParseException {
        try (Reader file = new InputStreamReader(
                Objects.requireNonNull(MemoryReport.class.getResourceAsStream("/device-arena.jfc")),
                StandardCharsets.UTF_8)) {
            return Configuration.create(file);
        }
    }

    private List<RecordedEvent> recorded(Runnable work) throws IOException, ParseException {
        Path file = folder.resolve("arena.jfr");
        try (Recording recording = new Recording(settings())) {
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.devicearena."))
                .toList();
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals("io.devicearena." + name))
                .toList();
        assertThat(found).as(name).allSatisfy(event -> {
            assertThat(event.getEventType().getCategoryNames()).containsExactly("Device Arena");
            assertThat(event.getString("arena")).isEqualTo("seen");
            assertThat(event.getString("device")).isEqualTo("byte array");
        });
        return found;
    }

    private static void assertArena(RecordedEvent event, boolean view) {
        assertThat(event.getString("provider")).isEqualTo("third");
        assertThat(event.getLong("arenaBytes")).isEqualTo(64);
        assertThat(event.getInt("segments")).isEqualTo(1);
        assertThat(event.getBoolean("view")).isEqualTo(view);
    }

    @Test
    void openAndClose_ofAnArenaAndItsView_areRecordedOnce() throws IOException, ParseException {
        List<RecordedEvent> events = recorded(() -> {
            DeviceArena arena = open();
            DeviceArena view = arena.view(PLAN);
            arena.close();
            arena.close();
            view.close();
        });
        List<RecordedEvent> opened = of(events, "ArenaOpen");
        assertThat(opened).hasSize(2);
        assertArena(opened.get(0), false);
        assertArena(opened.get(1), true);
        assertThat(opened.get(0).getStackTrace().getFrames())
                .anyMatch(frame -> frame.getMethod().getName().equals("open"));
        List<RecordedEvent> closed = of(events, "ArenaClose");
        assertThat(closed).hasSize(2);
        assertArena(closed.get(0), false);
        assertArena(closed.get(1), true);
        assertThat(of(events, "ArenaDrop")).isEmpty();
    }

    @Test
    void drop_withoutClose_isRecorded() throws IOException, ParseException {
        List<RecordedEvent> events =
                recorded(() -> RecordedArena.opened(SEEN, null).dropped());
        assertThat(of(events, "ArenaDrop")).singleElement().satisfies(event -> assertArena(event, false));
    }

    @Test
    void transfers_haveTheirRangeAndType() throws IOException, ParseException {
        List<RecordedEvent> events = recorded(() -> {
            try (DeviceArena arena = open()) {
                arena.writeInputF32(RIGHT, DType.F16, new float[4]);
                arena.writeBytes(3, MemorySegment.ofArray(new byte[5]));
                arena.readOutputF32(LEFT, DType.F32, new float[100]);
                arena.readBytes(60, MemorySegment.ofArray(new byte[4]));
                arena.withBytes(8, 16, MemorySegment::byteSize);
            }
        });
        assertThat(of(events, "Upload"))
                .extracting(event -> event.getLong("offset") + " " + event.getLong("bytes") + event.getString("type"))
                .containsExactly("32 8f16", "3 5");
        assertThat(of(events, "Readback"))
                .extracting(event -> event.getLong("offset") + " " + event.getLong("bytes") + event.getString("type"))
                .containsExactly("0 32f32", "60 4", "8 16");
    }

    @Test
    void batches_haveTheirSumOfBytes() throws IOException, ParseException {
        Batch writes = Batch.builder()
                .floats(LEFT, DType.BF16, new float[3])
                .bytes(40, MemorySegment.ofArray(new byte[7]))
                .build();
        Batch reads = Batch.builder()
                .floats(RIGHT, DType.F32, new float[2])
                .bytes(0, MemorySegment.ofArray(new byte[1]))
                .build();
        List<RecordedEvent> events = recorded(() -> {
            try (DeviceArena arena = open()) {
                arena.writeBatch(writes);
                arena.beginWrite(writes).await();
                arena.readBatch(reads);
                arena.beginRead(reads).await();
            }
        });
        assertThat(of(events, "Batch"))
                .extracting(event ->
                        event.getString("operation") + " " + event.getInt("regions") + " " + event.getLong("bytes"))
                .containsExactly("writeBatch 2 13", "beginWrite 2 13", "readBatch 2 9", "beginRead 2 9");
        assertThat(of(events, "Upload")).isEmpty();
        assertThat(of(events, "Readback")).isEmpty();
    }

    @Test
    void transferThatThrows_isNotRecorded() throws IOException, ParseException {
        List<RecordedEvent> events = recorded(() -> {
            try (DeviceArena arena = open()) {
                assertThatThrownBy(() -> arena.writeBytes(64, MemorySegment.ofArray(new byte[1])))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
        assertThat(of(events, "Upload")).isEmpty();
    }

    @Test
    void transfers_areTimedOnlyWhileARecordingCollectsThem() throws IOException, ParseException {
        RecordedArena trace = RecordedArena.opened(SEEN, null);
        assertThat(trace.isRecording()).isFalse();
        recorded(() -> assertThat(trace.isRecording()).isTrue());
        assertThat(trace.isRecording()).isFalse();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CPULoad");
            for (String name : List.of("Upload", "Readback", "Batch")) {
                recording.disable("io.devicearena." + name);
            }
            recording.start();
            assertThat(trace.isRecording()).isFalse();
        }
    }
}
