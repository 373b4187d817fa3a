package com.example.minilm;

import io.devicearena.DType;
import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.kernel.Binding;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Recorder;
import io.devicearena.wgpu.kernel.Workgroups;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The steps as kernels, recorded once. */
final class WgpuExecution implements MiniLm.Execution {
    private final Bert graph;
    private final WgpuArena arena;
    private final KernelProgram program;

    WgpuExecution(Bert graph, WgpuArena arena) {
        this.graph = graph;
        this.arena = arena;
        Recorder recorder = arena.kernels().recorder();
        for (Bert.Node node : graph.steps()) {
            // binding 0 is the value, the others are the inputs in their order
            Binding[] bound = Stream.concat(Stream.of(node.id()), node.inputs().stream())
                    .map(id -> arena.kernels().window(id))
                    .toArray(Binding[]::new);
            recorder.labelled(node.name())
                    .dispatch(arena.kernels().compile(source(node)), Bindings.of(bound), workgroups(node));
        }
        program = recorder.build();
    }

    private KernelSource source(Bert.Node node) {
        return switch (node.kind()) {
            case EMBED -> source("embed").withConstant("TOKENS", graph.tokens);
            case NORM -> source("sum", "norm").withConstant("ADD", node.adds() ? 1 : 0);
            case LINEAR ->
                source("matrix-" + graph.matrices.label(), "linear")
                        .withConstant("TOKENS", graph.tokens)
                        .withConstant("ROWS", node.columns())
                        .withConstant("COLUMNS", arena.plan().values().get(node.inputs().get(1)).shape().getLast())
                        .withConstant("GELU", node.gelu() ? 1 : 0);
            case ATTENTION -> source("sum", "attention").withConstant("TOKENS", graph.tokens);
            case POOL -> source("sum", "pool").withConstant("TOKENS", graph.tokens);
            case DATA -> throw new IllegalStateException(node.name() + " is no step");
        };
    }

    private Workgroups workgroups(Bert.Node node) {
        return switch (node.kind()) {
            case EMBED -> Workgroups.covering(node.elements() / 4, 64);
            case NORM -> Workgroups.of(graph.tokens);
            case LINEAR -> Workgroups.covering(node.elements() / 16, 64);
            case ATTENTION -> Workgroups.of(graph.tokens, Bert.HEADS);
            default -> Workgroups.of(1);
        };
    }

    /** A kernel of one or more files; the last one names it. */
    private static KernelSource source(String... files) {
        StringBuilder wgsl = new StringBuilder();
        for (String file : files) {
            try (InputStream in = WgpuExecution.class.getResourceAsStream(file + ".wgsl")) {
                wgsl.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return KernelSource.of(files[files.length - 1], wgsl.toString());
    }

    @Override
    public void run(int[] ids, float[] mask, float[] embedding) {
        program.run(
                WriteBatch.builder()
                        .elements(graph.ids, DType.I32, MemorySegment.ofArray(ids))
                        .floats(graph.mask, DType.F32, mask)
                        .build(),
                ReadBatch.builder().output(graph.output, DType.F32, embedding).build());
    }

    @Override
    public void close() {
        arena.close();
    }
}
