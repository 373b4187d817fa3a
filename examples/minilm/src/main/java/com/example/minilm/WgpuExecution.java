package com.example.minilm;

import io.devicearena.DType;
import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.kernel.Binding;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.Kernel;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Recorder;
import io.devicearena.wgpu.kernel.Workgroups;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;

/** The steps as kernels, recorded once. */
final class WgpuExecution implements MiniLm.Execution {
    private final Bert graph;
    private final KernelProgram program;

    WgpuExecution(Bert graph, WgpuArena arena) throws IOException {
        this.graph = graph;
        String wgsl = text("matrix-" + graph.matrices.label()) + text("minilm");
        Recorder recorder = arena.kernels().recorder();
        for (Bert.Node node : graph.steps()) {
            Kernel kernel = arena.kernels()
                    .compile(KernelSource.of(node.kind().toString(), wgsl)
                            .withEntryPoint(node.kind().toString().toLowerCase(Locale.ROOT))
                            .withConstant("TOKENS", graph.tokens)
                            .withConstant("ROWS", node.columns())
                            .withConstant("COLUMNS", arena.lengthBytes(node.inputs().getFirst()) / Float.BYTES / graph.tokens)
                            .withConstant("GELU", node.columns() == Bert.INNER ? 1 : 0));
            Binding[] bound = Stream.concat(Stream.of(node.id()), node.inputs().stream())
                    .map(id -> arena.kernels().window(id))
                    .toArray(Binding[]::new);
            long share = switch (node.kind()) { // how many elements an invocation makes
                case NORM -> Bert.HIDDEN;
                case LINEAR -> 16;
                case ATTENTION -> Bert.HEAD;
                default -> 4;
            };
            Workgroups groups = Workgroups.covering(node.elements() / share, 64);
            recorder.labelled(node.name()).dispatch(kernel, Bindings.of(bound), groups);
        }
        program = recorder.build();
    }

    private static String text(String file) throws IOException {
        try (InputStream in = WgpuExecution.class.getResourceAsStream(file + ".wgsl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void run(int[] ids, float[] mask, float[] embedding) {
        WriteBatch.Builder inputs = WriteBatch.builder().floats(graph.mask, DType.F32, mask);
        inputs.elements(graph.ids, DType.I32, MemorySegment.ofArray(ids));
        program.run(inputs.build(), ReadBatch.builder().output(graph.output, DType.F32, embedding).build());
    }
}
