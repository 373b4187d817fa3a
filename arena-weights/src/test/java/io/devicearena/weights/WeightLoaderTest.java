package io.devicearena.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WeightLoaderTest {
    private static final NodeId X = NodeId.of(1);
    private static final NodeId Q = NodeId.of(2);
    private static final float[] FLOATS = {1, -2, 0.5f, 3, 65504, 0};

    @TempDir
    private Path folder;

    private Path path;

    /** x: F32 [2, 3]; q: Q8_0 [1, 32] with a scale of 0.5 and the numbers 0 to 31. */
    @BeforeEach
    void writeModel() throws IOException {
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(2).u64(0);
        bytes.text("x").u32(2).u64(3).u64(2).u32(0).u64(0);
        bytes.text("q").u32(2).u64(32).u64(1).u32(8).u64(32);
        bytes.paddedTo(32);
        for (float value : FLOATS) {
            bytes.f32(value);
        }
        bytes.paddedTo(32).raw((byte) 0, (byte) 0x38);
        for (int i = 0; i < 32; i++) {
            bytes.raw((byte) i);
        }
        path = Files.write(folder.resolve("model.gguf"), bytes.array());
    }

    private static PlanValue parameter(String name, DType type, Long... shape) {
        return new PlanValue(name, NodeRole.PARAMETER, type, List.of(shape), Optional.empty());
    }

    private static DeviceArena open(PlanValue x, PlanValue q) {
        Map<NodeId, PlanValue> values = new LinkedHashMap<>(Map.of(X, x, Q, q));
        Map<NodeId, BufferSlot> slots = Map.of(X, new BufferSlot(0, 64), Q, new BufferSlot(64, 128));
        return DeviceArenas.open(
                new MemoryPlan(192, slots, List.of(), values),
                ArenaOptions.defaults().withProvider("cpu"));
    }

    private static float[] numbers() {
        float[] numbers = new float[32];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i * 0.5f;
        }
        return numbers;
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"F32", "F16", "BF16"})
    void load_floats_areConvertedAndDecoded(DType type) {
        try (WeightFile file = WeightFile.open(path);
                DeviceArena arena = open(parameter("x", type, 2L, 3L), parameter("q", type, 32L))) {
            List<LoadProgress> steps = new ArrayList<>();
            LoadReport report = WeightLoader.of(file, arena)
                    .withDequantisation()
                    .withVerification()
                    .withListener(steps::add)
                    .load();
            float[] x = arena.readOutputF32(X, type, 6);
            assertThat(x[0]).isEqualTo(1);
            assertThat(x[2]).isEqualTo(0.5f);
            assertThat(arena.readOutputF32(Q, type, 32)).isEqualTo(numbers());
            assertThat(report.bytes()).isEqualTo(24 + 34);
            assertThat(report.writtenBytes()).isEqualTo(38L * type.bytes());
            assertThat(report.checksums()).containsOnlyKeys("x", "q");
            assertThat(steps.getLast().bytes()).isEqualTo(steps.getLast().totalBytes());
        }
    }

    @Test
    void load_blocksIntoBytes_goAsTheyAre() {
        try (WeightFile file = WeightFile.open(path);
                DeviceArena arena = open(parameter("x", DType.F32, 2L, 3L), parameter("q", DType.U8, 34L))) {
            WeightLoader.of(file, arena).load();
            byte[] bytes = arena.unwrap(MemorySegment.class)
                    .orElseThrow()
                    .asSlice(64, 34)
                    .toArray(JAVA_BYTE);
            assertThat(bytes)
                    .isEqualTo(file.bytes(file.tensor("q").orElseThrow()).toArray(JAVA_BYTE));
        }
    }

    @Test
    void load_whatDoesNotFit_isListedBeforeTheFirstByte() {
        try (WeightFile file = WeightFile.open(path);
                DeviceArena arena = open(parameter("x", DType.F32, 3L, 2L), parameter("q", DType.F32, 32L))) {
            WeightLoader loader = WeightLoader.of(file, arena);
            assertThat(loader.matches().mismatched()).hasSize(2);
            assertThatThrownBy(loader::load)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected a tensor of the shape [3, 2], got [2, 3] of 'x'")
                    .hasMessageContaining("load it with dequantisation, or plan the value as U8 of 34 elements");
            assertThat(arena.unwrap(MemorySegment.class).orElseThrow().toArray(JAVA_BYTE))
                    .containsOnly(0);
        }
    }

    @Test
    void matches_missingAndLeftOver_areNamed() {
        try (WeightFile file = WeightFile.open(path);
                DeviceArena arena = open(parameter("x", DType.F32, 2L, 3L), parameter("z", DType.F32, 32L))) {
            WeightMatches matches = WeightLoader.of(file, arena).matches();
            assertThat(matches.isComplete()).isFalse();
            assertThat(matches.missing()).singleElement().asString().contains("expected a tensor 'z', got none");
            assertThat(matches.leftOver())
                    .singleElement()
                    .isEqualTo(file.tensor("q").orElseThrow());
            WeightLoader renamed = WeightLoader.of(file, arena)
                    .withValues(Map.of("x", X, "q", Q))
                    .withDequantisation();
            assertThat(renamed.matches().isComplete()).isTrue();
        }
    }

    @Test
    void load_cancelled_saysHowFarItCame() {
        try (WeightFile file = WeightFile.open(path);
                DeviceArena arena = open(parameter("x", DType.F32, 2L, 3L), parameter("q", DType.U8, 34L))) {
            WeightLoader loader = WeightLoader.of(file, arena).withCancellation(() -> true);
            assertThatThrownBy(loader::load)
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("after 0 of 58 bytes");
        }
    }

    @Test
    void load_fileThatShrank_throwsAndTheProcessGoesOn() throws IOException {
        long page = 1 << 20;
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(1).u64(0);
        bytes.text("x").u32(1).u64(page).u32(0).u64(0).paddedTo(32);
        Path large = Files.write(folder.resolve("large.gguf"), bytes.array());
        try (FileChannel channel = FileChannel.open(large, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            channel.write(ByteBuffer.allocate(1), channel.size() + page * Float.BYTES - 1);
            MemoryPlan plan = new MemoryPlan(
                    page * Float.BYTES,
                    Map.of(X, new BufferSlot(0, page * Float.BYTES)),
                    List.of(),
                    Map.of(X, parameter("x", DType.F32, page)));
            try (WeightFile file = WeightFile.open(large);
                    DeviceArena arena =
                            DeviceArenas.open(plan, ArenaOptions.defaults().withProvider("cpu"))) {
                channel.truncate(bytes.array().length);
                assertThatThrownBy(() -> WeightLoader.of(file, arena).load())
                        .isInstanceOf(WeightFileException.class)
                        .hasMessageContaining("it shrank");
            }
        }
    }
}
