package io.devicearena.kernels.matrix;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs one step on values that a test makes. */
final class StepRun {
    /** Where the step runs. */
    enum Place {
        HOST,
        SUBGROUPS,
        WORKGROUP_MEMORY
    }

    private static final int ALIGNMENT = 512;

    private final Map<NodeId, byte[]> contents = new LinkedHashMap<>();
    private final Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
    private final List<NodeId> mirrored = new ArrayList<>();
    private long end;

    NodeId bytes(byte[] content) {
        NodeId id = NodeId.of(contents.size());
        contents.put(id, content);
        slots.put(id, new BufferSlot(end, content.length));
        end = (end + content.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return id;
    }

    NodeId floats(float... content) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * content.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(content);
        return bytes(bytes.array());
    }

    NodeId ints(int... content) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * content.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(content);
        return bytes(bytes.array());
    }

    Matrix matrix(PackedWeights weights) {
        NodeId id = bytes(weights.bytes);
        if (weights.isMirrored) {
            mirrored.add(id);
        }
        return weights.matrix(id);
    }

    private BufferSlot slot(NodeId id) {
        return Objects.requireNonNull(slots.get(id), id::toString);
    }

    /** Runs the step and returns some values afterwards. */
    <S extends KernelStep> List<float[]> run(Place place, S step, RecordedWithout<S> recorded, NodeId... wanted) {
        MemoryPlan plan = new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
        ArenaOptions options = ArenaOptions.defaults()
                .withProvider(place == Place.HOST ? "cpu" : "wgpu")
                .withLabel("test");
        if (place != Place.HOST && !mirrored.isEmpty()) {
            options = options.withF16Shadow(F16ShadowMode.ON_REQUEST);
        }
        try (DeviceArena arena = DeviceArenas.open(plan, options)) {
            contents.forEach((id, bytes) -> arena.writeBytes(slot(id).offset(), MemorySegment.ofArray(bytes)));
            arena.flush();
            if (place == Place.HOST) {
                try (ThreadTeam team = new ThreadTeam(2)) {
                    step.compute(new ArenaHostValues(arena, team));
                }
            } else {
                Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
                Recorder recorder = kernels.recorder();
                if (!mirrored.isEmpty()) {
                    recorder.refresh(mirrored.toArray(NodeId[]::new));
                }
                recorded.record(step, new StepRecorder(kernels, recorder), place == Place.SUBGROUPS);
                try (KernelProgram program = recorder.build()) {
                    program.submit();
                }
            }
            List<float[]> all = new ArrayList<>();
            for (NodeId id : wanted) {
                float[] floats = new float[(int) (slot(id).size() / 4)];
                byte[] bytes = new byte[4 * floats.length];
                arena.readBytes(slot(id).offset(), MemorySegment.ofArray(bytes));
                ByteBuffer.wrap(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asFloatBuffer()
                        .get(floats);
                all.add(floats);
            }
            return all;
        }
    }

    /** Records a step with or without subgroups. */
    interface RecordedWithout<S> {
        void record(S step, StepRecorder device, boolean subgroups);
    }
}
