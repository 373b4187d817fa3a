package com.example.mlp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.example.mlp.bench.SegmentBench;
import com.example.mlp.engine.CpuEngine;
import com.example.mlp.engine.Engine;
import com.example.mlp.engine.Precision;
import com.example.mlp.engine.Reference;
import com.example.mlp.engine.WgpuEngine;
import com.example.mlp.graph.Block;
import com.example.mlp.graph.Dense;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import com.example.mlp.learn.Arm;
import com.example.mlp.learn.Training;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.spi.Availability;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every engine's outputs are the reference's, but for rounding; and the network learns. */
class EnginesTest {
    /** No size is a multiple of what a workgroup takes. */
    private static final String ODD = "input x 24\ndense a 40 relu\ndense b 1032 relu\ndense c 7";

    /** The first matrix is larger than 1 MiB, and in neither size of {@code examples/verify} are all blocks equal. */
    private static final String WIDE = "input x 1032\ndense a 264 relu\ndense b 7";

    private static float[] inputs(int length) {
        SplittableRandom random = new SplittableRandom(3);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }

    private static void assertExplained(Engine opened, Network network, Weights weights, int batch, Precision precision) {
        float[] x = inputs(batch * network.inputs());
        float[] y = new float[batch * network.outputs()];
        Reference reference = Reference.forward(network, weights, x, precision);
        try (Engine engine = opened) {
            engine.forward(x, y);
            assertTrue(reference.explains(y), "off by " + reference.error(y) + " of " + reference.bound());
            engine.forward(inputs(x.length * 2), new float[y.length]);
            engine.forward(x, y);
            assertTrue(reference.explains(y), "a second time off by " + reference.error(y));
        }
        y[y.length - 1] += 2 * (float) reference.bound();
        assertFalse(reference.explains(y));
    }

    @ParameterizedTest(name = "{0}, {1} at a time")
    @CsvSource({"F32, 1", "F32, 5", "F16, 1", "F16, 5"})
    void theCpuEngineComputesTheNetwork(Precision precision, int batch) {
        Network network = Network.parse(ODD);
        Weights weights = Weights.random(network, 1);
        assertExplained(
                CpuEngine.open(network, weights, batch, precision), network, weights, batch, precision);
    }

    private static void assumeWgpu() {
        assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals("wgpu")
                                && report.availability() instanceof Availability.Ready),
                "no device for wgpu");
    }

    private static void assertWgpuComputes(String text, Precision precision, int batch) {
        assumeWgpu();
        Network network = Network.parse(text);
        Weights weights = Weights.random(network, 1);
        assertExplained(
                WgpuEngine.open(network, weights, batch, precision), network, weights, batch, precision);
    }

    @ParameterizedTest(name = "{0}, {1} at a time")
    @CsvSource({"F32, 1", "F32, 5", "F16, 1", "F16, 5"})
    void theWgpuEngineComputesTheNetwork(Precision precision, int batch) {
        assertWgpuComputes(ODD, precision, batch);
    }

    @ParameterizedTest(name = "{0}, {1} at a time")
    @CsvSource({"F32, 5", "F16, 1"})
    void theWgpuEngineComputesWideLayers(Precision precision, int batch) {
        assertWgpuComputes(WIDE, precision, batch);
    }

    @ParameterizedTest(name = "{0} in blocks of {1} bytes")
    @CsvSource({"F32, 4128", "F32, 65536", "F16, 4128", "F16, 65536"})
    void blocksDoNotChangeTheOutputs(Precision precision, long maxBlockBytes) {
        Network network = Network.parse(ODD);
        Weights weights = Weights.random(network, 1);
        float[] x = inputs(3 * network.inputs());
        float[] whole = new float[3 * network.outputs()];
        float[] divided = new float[whole.length];
        try (Engine engine = CpuEngine.open(network, weights, 3, precision)) {
            engine.forward(x, whole);
        }
        try (Engine engine = CpuEngine.open(network.inBlocks(maxBlockBytes), weights, 3, precision)) {
            engine.forward(x, divided);
        }
        assertArrayEquals(whole, divided);
    }

    @Test
    void aMatrixIsDividedIntoWholeRows() {
        Dense whole = Network.parse("input x 8\ndense a 5").layers().getFirst();
        assertEquals(List.of(new Block(NodeId.of(1), 0, 5)), whole.blocks());
        Dense divided =
                Network.parse("input x 8\ndense a 5").inBlocks(95).layers().getFirst();
        assertEquals(
                List.of(
                        new Block(NodeId.of(1), 0, 2),
                        new Block(NodeId.of(2), 2, 2),
                        new Block(NodeId.of(3), 4, 1)),
                divided.blocks());
        assertEquals(NodeId.of(4), divided.bias());
        assertEquals(NodeId.of(5), divided.y());
    }

    @Test
    void aRowThatIsLargerThanABlockIsRefused() {
        Network network = Network.parse("input x 8\ndense a 5\ndense b 2");
        assertEquals(
                "layer a: expected weights of at most 31 bytes a row, got 32; give it fewer inputs",
                assertThrows(IllegalArgumentException.class, () -> network.inBlocks(31))
                        .getMessage());
    }

    @Test
    void theSegmentBenchVerifiesEveryByte() {
        assumeWgpu();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SegmentBench.run(List.of("--bytes", "3MiB"), new PrintStream(out, true, StandardCharsets.UTF_8));
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("# every byte was read back right, and every sum is right"), text);
    }

    @Test
    void theNetworkLearnsTheArm() {
        Network network = Demonstration.network();
        Weights weights = Training.learn(network, 300, 7);
        float[] x = new float[64 * Arm.JOINTS];
        float[] tips = new float[64 * 2];
        Arm.turn(x, new SplittableRandom(5));
        Arm.tips(x, tips);
        float[] y = new float[tips.length];
        try (Engine engine = CpuEngine.open(network, weights, 64, Precision.F32)) {
            engine.forward(x, y);
        }
        double sum = 0;
        for (int i = 0; i < y.length; i += 2) {
            sum += Math.hypot(y[i] - tips[i], y[i + 1] - tips[i + 1]);
        }
        assertTrue(sum / 64 < 0.5, "the arm is 4.2 long, the tips are off by " + sum / 64);
    }

    @Test
    void plansAreValid() {
        for (DType type : new DType[] {DType.F32, DType.F16}) {
            PlanOptions options = PlanOptions.declared(64);
            PlanValidator.validate(
                    MemoryPlanner.plan(Demonstration.network().graph(16, type), options).plan(),
                    Demonstration.network().graph(16, type),
                    options);
        }
    }

    @Test
    void aNetworkIsReadFromItsText() {
        Network network = Network.parse("# a comment\ninput x 8\n\ndense a 16 relu # hidden\ndense b 3\n");
        assertEquals(2, network.layers().size());
        assertEquals(8 * 16 + 16 + 16 * 3 + 3, network.parameters());
        assertTrue(network.layers().getFirst().relu());
        assertFalse(network.layers().getLast().relu());
        assertEquals(network.layers().getFirst().y(), network.layers().getLast().x());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "input x 8",
                "dense a 8",
                "input x 8\ndense a 0",
                "input x 8\ndense a many",
                "input x 8\ndense a 8 tanh",
                "input x 8\nconv a 8"
            })
    void aWrongTextIsRefusedWithItsLine(String text) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> Network.parse(text));
        assertTrue(thrown.getMessage().startsWith("line "), thrown.getMessage());
    }
}
