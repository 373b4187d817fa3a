package io.devicearena.kernels.step;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs steps on values that a test makes. */
public final class StepTrial {
    /** Where the steps run. */
    public enum Place {
        HOST,
        SUBGROUPS,
        WORKGROUP_MEMORY,
        /** The kernels in CUDA C, on the driver of the machine or on that of the tests. */
        CUDA;

        /** The places of steps that have no kernels in CUDA C. */
        public static List<Place> withoutCuda() {
            return List.of(HOST, SUBGROUPS, WORKGROUP_MEMORY);
        }

        private String provider() {
            return switch (this) {
                case HOST -> "cpu";
                case CUDA -> "cuda";
                default -> "wgpu";
            };
        }
    }

    private static final int ALIGNMENT = 512;

    /** Compiles again what a trial compiles, and stays open, so that the device compiles each kernel once. */
    private static @Nullable Kernels keeper;

    private final Map<NodeId, byte[]> contents = new LinkedHashMap<>();
    private final Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
    private final Map<String, Object> limits = new HashMap<>();
    private final List<NodeId> views = new ArrayList<>();
    private final List<NodeId> mirrored = new ArrayList<>();
    private long end;

    /** An arena of the device of the tests, to compile kernels on. */
    public static DeviceArena openForKernels() {
        NodeId id = NodeId.of(0);
        MemoryPlan plan = new MemoryPlan(ALIGNMENT, Map.of(id, new BufferSlot(0, ALIGNMENT)), List.of(id));
        return DeviceArenas.open(
                plan, ArenaOptions.defaults().withProvider("wgpu").withLabel("test"));
    }

    /** Lets a fact of the device have another value. */
    public void limit(String fact, Object value) {
        limits.put(fact, value);
    }

    /** Lets a value of floats have an f16 mirror, which is refreshed before the steps. */
    public void mirror(NodeId id) {
        mirrored.add(id);
    }

    public NodeId bytes(byte[] content) {
        NodeId id = NodeId.of(contents.size());
        contents.put(id, content);
        slots.put(id, new BufferSlot(end, content.length));
        end = (end + content.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return id;
    }

    /** A value that lies in another one. */
    public NodeId view(NodeId of, long firstByte, int bytes) {
        NodeId id = NodeId.of(contents.size());
        contents.put(id, new byte[bytes]);
        slots.put(id, new BufferSlot(Objects.requireNonNull(slots.get(of)).offset() + firstByte, bytes));
        views.add(id);
        return id;
    }

    public NodeId floats(float... content) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * content.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(content);
        return bytes(bytes.array());
    }

    public NodeId ints(int... content) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * content.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(content);
        return bytes(bytes.array());
    }

    /** Runs a step, and returns the floats of some values afterwards. */
    public List<float[]> run(Place place, KernelStep step, NodeId... wanted) {
        run(place, List.of(step));
        return Stream.of(wanted).map(this::floatsOf).toList();
    }

    /** Runs the steps in order; the values are read afterwards. */
    public void run(Place place, List<KernelStep> steps) {
        MemoryPlan plan = new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
        ArenaOptions options =
                ArenaOptions.defaults().withProvider(place.provider()).withLabel("test");
        if (place != Place.HOST && !mirrored.isEmpty()) {
            options = options.withF16Shadow(F16ShadowMode.ON_REQUEST);
        }
        if (place == Place.CUDA) {
            CudaTestDriver.use();
        }
        if (place == Place.WORKGROUP_MEMORY) {
            limit("hasSubgroups", false);
        }
        try (DeviceArena arena = DeviceArenas.open(plan, options)) {
            contents.forEach((id, bytes) -> {
                if (!views.contains(id)) {
                    arena.writeBytes(Objects.requireNonNull(slots.get(id)).offset(), MemorySegment.ofArray(bytes));
                }
            });
            arena.flush();
            if (place == Place.CUDA) {
                io.devicearena.cuda.kernel.Kernels kernels =
                        arena.unwrap(io.devicearena.cuda.kernel.Kernels.class).orElseThrow();
                Recorder recorder = refreshing(kernels.recorder());
                new CudaRecorder(kernels, recorder).record(steps);
                submit(recorder);
            } else if (place == Place.HOST) {
                try (ThreadTeam team = new ThreadTeam(2)) {
                    ArenaHostValues host = new ArenaHostValues(arena, team);
                    steps.forEach(step -> step.compute(host));
                }
            } else {
                Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
                Recorder recorder = refreshing(kernels.recorder());
                StepRecorder device = new StepRecorder(limited(kernels), recorder);
                steps.forEach(step -> step.record(device));
                submit(recorder);
            }
            contents.forEach((id, bytes) ->
                    arena.readBytes(Objects.requireNonNull(slots.get(id)).offset(), MemorySegment.ofArray(bytes)));
        }
    }

    private Recorder refreshing(Recorder recorder) {
        if (!mirrored.isEmpty()) {
            recorder.refresh(mirrored.toArray(NodeId[]::new));
        }
        return recorder;
    }

    private static void submit(Recorder recorder) {
        try (KernelProgram program = recorder.build()) {
            program.submit();
        }
    }

    public float[] floatsOf(NodeId id) {
        byte[] bytes = Objects.requireNonNull(contents.get(id));
        float[] floats = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
        return floats;
    }

    public int[] intsOf(NodeId id) {
        byte[] bytes = Objects.requireNonNull(contents.get(id));
        int[] ints = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ints);
        return ints;
    }

    private static synchronized void keep(KernelSource source) {
        Kernels kernels = keeper;
        if (kernels == null) {
            kernels = openForKernels().unwrap(Kernels.class).orElseThrow();
            keeper = kernels;
        }
        kernels.compile(source);
    }

    private Kernels limited(Kernels kernels) {
        KernelFacts facts = limited(kernels.facts());
        return (Kernels) Proxy.newProxyInstance(
                Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, (_, method, arguments) -> {
                    if (method.getName().equals("facts")) {
                        return facts;
                    }
                    try {
                        Object result = method.invoke(kernels, arguments);
                        if (method.getName().equals("compile")) {
                            keep((KernelSource) arguments[0]);
                        }
                        return result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** The facts of a device, with the values of this trial instead of those of its limits. */
    private KernelFacts limited(KernelFacts facts) {
        RecordComponent[] components = KernelFacts.class.getRecordComponents();
        Object[] values = new Object[components.length];
        try {
            for (int i = 0; i < values.length; i++) {
                Object changed = limits.get(components[i].getName());
                values[i] = changed != null
                        ? changed
                        : Objects.requireNonNull(components[i].getAccessor().invoke(facts));
            }
            return (KernelFacts) KernelFacts.class.getConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the facts of a device", e);
        }
    }

    /** Floats from -1 to 1. */
    public static float[] random(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (float) random.nextDouble(-1, 1);
        }
        return floats;
    }
}
