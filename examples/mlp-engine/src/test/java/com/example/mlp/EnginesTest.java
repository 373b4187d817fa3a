package com.example.mlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.example.mlp.engine.CpuEngine;
import com.example.mlp.engine.Engine;
import com.example.mlp.engine.Precision;
import com.example.mlp.engine.Reference;
import com.example.mlp.engine.WgpuEngine;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import com.example.mlp.learn.Arm;
import com.example.mlp.learn.Training;
import io.devicearena.DType;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.spi.Availability;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every engine's outputs are the reference's, but for rounding; and the network learns. */
class EnginesTest {
    /** No size is a multiple of what a workgroup takes. */
    private static final String ODD = "input x 24\ndense a 40 relu\ndense b 1032 relu\ndense c 7";

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

    @ParameterizedTest(name = "{0}, {1} at a time")
    @CsvSource({"F32, 1", "F32, 5", "F16, 1", "F16, 5"})
    void theWgpuEngineComputesTheNetwork(Precision precision, int batch) {
        assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals("wgpu")
                                && report.availability() instanceof Availability.Ready),
                "no device for wgpu");
        Network network = Network.parse(ODD);
        Weights weights = Weights.random(network, 1);
        assertExplained(
                WgpuEngine.open(network, weights, batch, precision), network, weights, batch, precision);
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
