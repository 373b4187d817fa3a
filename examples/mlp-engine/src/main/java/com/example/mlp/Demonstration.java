package com.example.mlp;

import com.example.mlp.engine.CpuEngine;
import com.example.mlp.engine.Engine;
import com.example.mlp.engine.Precision;
import com.example.mlp.engine.Reference;
import com.example.mlp.engine.WgpuEngine;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import com.example.mlp.learn.Arm;
import com.example.mlp.learn.Training;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/** Learns the arm, runs it on every engine that there is, and holds each to the reference. */
final class Demonstration {
    private static final long SEED = 7;
    private static final int STEPS = 2000;
    private static final int CALLS = 300;

    private final PrintStream out;
    private final Network network;
    private final Weights weights;
    private final float[] x;
    private final float[] tips;
    private boolean passed = true;

    private Demonstration(PrintStream out, Network network, Weights weights, int batch) {
        this.out = out;
        this.network = network;
        this.weights = weights;
        this.x = new float[batch * network.inputs()];
        this.tips = new float[batch * network.outputs()];
    }

    /** The network that ships with the example. */
    static Network network() {
        try (InputStream text = Demonstration.class.getResourceAsStream("arm.net")) {
            if (text == null) {
                throw new IllegalStateException("arm.net: expected it beside the classes, got nothing");
            }
            return Network.parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("arm.net: cannot be read", e);
        }
    }

    /** Runs it; false when an engine was further off than rounding explains. */
    static boolean run(int batch, PrintStream out) {
        Network network = network();
        out.println("# " + network.layers().size() + " layers, " + network.parameters() + " parameters, batches of "
                + batch);
        long begin = System.nanoTime();
        Weights weights = Training.learn(network, STEPS, SEED);
        out.println(String.format(
                Locale.ROOT, "# learned in %d steps, %.1f s", STEPS, (System.nanoTime() - begin) / 1e9));
        Demonstration demonstration = new Demonstration(out, network, weights, batch);
        demonstration.compare();
        return demonstration.passed;
    }

    private void compare() {
        SplittableRandom random = new SplittableRandom(SEED + 2);
        Arm.turn(x, random);
        Arm.tips(x, tips);
        out.println(String.format(
                Locale.ROOT,
                "%-8s %-8s %12s %12s %12s %12s %12s  %s",
                "provider",
                "weights",
                "bytes",
                "forward µs",
                "error",
                "explained",
                "tip off by",
                "device"));
        for (Precision precision : Precision.values()) {
            measure("cpu", precision, CpuEngine.open(network, weights, batch(), precision));
        }
        Availability wgpu = DeviceArenas.providers().stream()
                .filter(report -> report.name().equals("wgpu"))
                .findFirst()
                .orElseThrow()
                .availability();
        switch (wgpu) {
            case Availability.Ready ready -> {
                for (Precision precision : Precision.values()) {
                    measure("wgpu", precision, WgpuEngine.open(network, weights, batch(), precision));
                }
            }
            case Availability.Missing missing -> out.println("wgpu     not available: " + missing.reason());
        }
    }

    private int batch() {
        return x.length / network.inputs();
    }

    private void measure(String provider, Precision precision, Engine opened) {
        try (Engine engine = opened) {
            float[] y = new float[tips.length];
            long[] nanos = new long[CALLS];
            for (int i = 0; i < CALLS; i++) {
                long begin = System.nanoTime();
                engine.forward(x, y);
                nanos[i] = System.nanoTime() - begin;
            }
            Arrays.sort(nanos);
            Reference reference = Reference.forward(network, weights, x, precision);
            boolean explained = reference.explains(y);
            passed &= explained;
            out.println(String.format(
                    Locale.ROOT,
                    "%-8s %-8s %12d %12.1f %12.2e %12.2e %12.4f  %s%s",
                    provider,
                    precision,
                    engine.bytes(),
                    nanos[CALLS / 2] / 1e3,
                    reference.error(y),
                    reference.bound(),
                    distance(y),
                    engine.device(),
                    explained ? "" : "  WRONG: further off than rounding explains"));
        }
    }

    /** How far the tips that the network says are from the true ones, on average; the arm is 4.2 long. */
    private double distance(float[] y) {
        double sum = 0;
        for (int i = 0; i < y.length; i += 2) {
            sum += Math.hypot(y[i] - tips[i], y[i + 1] - tips[i + 1]);
        }
        return sum / (y.length / 2);
    }
}
