package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.weights.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Real models: their tensors have the bytes, and blocks the values, that the Python libraries of the formats read.
 * {@code tools/models/prepare} fetches the models and writes what is expected.
 */
class RealModelsTest {
    @TestFactory
    Stream<DynamicTest> tensors_areThoseThatPythonReads() throws IOException {
        return models().stream()
                .map(model -> DynamicTest.dynamicTest(String.valueOf(model.getFileName()), () -> assertTensors(model)));
    }

    static List<Path> models() throws IOException {
        String folder = System.getenv("DEVICEARENA_MODELS");
        if (folder == null) {
            String problem = "real models: expected a folder of them in DEVICEARENA_MODELS, got none; run"
                    + " tools/models/prepare, and set it to the folder that this prints";
            if (System.getenv("DEVICEARENA_REQUIRE_MODELS") != null) {
                fail(problem);
            }
            abort(problem);
        }
        try (Stream<Path> files = Files.walk(Path.of(folder, "models"))) {
            List<Path> models = files.filter(file -> file.toString().matches(".*\\.(safetensors|gguf)"))
                    .sorted()
                    .toList();
            assertThat(models).isNotEmpty();
            return models;
        }
    }

    private static void assertTensors(Path model) throws IOException {
        List<String[]> rows = Files.readAllLines(Path.of(model + ".expected")).stream()
                .map(row -> row.split("\t", -1))
                .toList();
        try (WeightFile file = WeightFile.open(model)) {
            assertThat(file.tensors()).hasSize(rows.size());
            for (String[] row : rows) {
                Tensor tensor = file.tensor(row[0]).orElseThrow();
                assertThat(tensor.type().name()).as(row[0]).isEqualTo(row[1]);
                assertThat(String.join(
                                ",",
                                tensor.shape().stream().map(String::valueOf).toList()))
                        .as(row[0])
                        .isEqualTo(row[2]);
                assertThat(tensor.bytes()).as(row[0]).isEqualTo(Long.parseLong(row[3]));
                assertThat(crc(file.bytes(tensor))).as("bytes of %s", row[0]).isEqualTo(Long.parseLong(row[4]));
                if (!row[5].equals("-")) {
                    assertThat(decoded(file, tensor)).as("values of %s", row[0]).isEqualTo(Long.parseLong(row[5]));
                }
            }
        }
    }

    private static long crc(MemorySegment bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes.asByteBuffer());
        return sum.getValue();
    }

    /** The values as the loader decodes them into an arena of F32. */
    private static long decoded(WeightFile file, Tensor tensor) {
        NodeId id = NodeId.of(0);
        long bytes = tensor.elements() * Float.BYTES;
        long slot = Math.ceilDiv(bytes, 64) * 64;
        PlanValue value = new PlanValue(tensor.name(), NodeRole.PARAMETER, DType.F32, tensor.shape(), Optional.empty());
        MemoryPlan plan = new MemoryPlan(slot, Map.of(id, new BufferSlot(0, slot)), List.of(id), Map.of(id, value));
        try (DeviceArena arena = DeviceArenas.open(plan, ArenaOptions.defaults().withProvider("cpu"));
                Arena host = Arena.ofConfined()) {
            WeightLoader.of(file, arena).withDequantisation().load();
            MemorySegment read = host.allocate(bytes, Long.BYTES);
            arena.readValueBytes(id, 0, read);
            return crc(read);
        }
    }
}
