package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.KernelSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Puts the text of a kernel together, and records a dispatch of it. One thread at a time. */
final class Dispatch {
    private final StepRecorder device;
    private final StringBuilder text = new StringBuilder();

    Dispatch(StepRecorder device) {
        this.device = device;
    }

    Dispatch with(String name, long value) {
        text.append("const ").append(name).append(" = ").append(value).append("u;\n");
        return this;
    }

    Dispatch withText(String wgsl) {
        text.append(wgsl);
        return this;
    }

    Dispatch withFile(String name) {
        try (InputStream in = Dispatch.class.getResourceAsStream(name + ".wgsl")) {
            if (in == null) {
                throw new AssertionError(name + ".wgsl is missing from the jar");
            }
            text.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(name + ".wgsl", e);
        }
    }

    /** Binds values to binding 0 and those behind it, in their order. The plan has the alignment of the device. */
    void record(String label, Workgroups groups, NodeId... values) {
        Binding[] bound = new Binding[values.length];
        for (int i = 0; i < values.length; i++) {
            Window window = device.kernels().window(values[i]);
            if (window.offsetOf(values[i]) != 0) {
                throw new IllegalArgumentException(label + ": expected " + values[i] + " where a binding may begin, got it "
                        + window.offsetOf(values[i]) + " bytes behind; plan with PlanOptions.forDevice");
            }
            bound[i] = window;
        }
        device.recorder()
                .labelled(label)
                .dispatch(
                        device.kernels().compile(KernelSource.of(label, text.toString())), Bindings.of(bound), groups);
    }
}
