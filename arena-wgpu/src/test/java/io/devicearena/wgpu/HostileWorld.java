package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceLostException;
import io.devicearena.DeviceSelector;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.LostDevices;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** An arena, every kind of object on it, and for each type of parameter a valid value and hostile ones. */
final class HostileWorld implements AutoCloseable {
    /** The exception of a caller's function. */
    static final class OfCallback extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OfCallback() {
            super("the caller's own");
        }
    }

    /** An argument and its text in the log. */
    record Value(String label, Object value, boolean hasNull) {}

    private static final NodeId A = NodeId.of(0);
    private static final NodeId B = NodeId.of(1);
    private static final NodeId ODD = NodeId.of(2);
    private static final NodeId EMPTY = NodeId.of(3);
    private static final NodeId LARGE = NodeId.of(4);
    private static final NodeId UNKNOWN = NodeId.of(99);
    private static final int BYTES = 4000;
    private static final int LARGE_BYTES = 1 << 20;

    private static final String GARBAGE = "@compute fn { \u0000 var<storage> ((((";
    private static final String OUT_OF_BOUNDS = """
            @group(0) @binding(0) var<storage, read_write> a: array<u32>;
            @compute @workgroup_size(1) fn main() { a[4294967295u] = a[arrayLength(&a) + 7u] / (a[0] - a[0]); }
            """;
    private static final String TOO_WIDE = """
            @group(0) @binding(0) var<storage, read_write> a: array<u32>;
            @compute @workgroup_size(4096, 4096, 64) fn main() { a[0] = 1u; }
            """;
    private static final String FAR_BINDINGS = """
            @group(999) @binding(123456789) var<storage, read_write> a: array<u32>;
            @compute @workgroup_size(1) fn main() { a[0] = 1u; }
            """;

    private final HostileCalls.State state;
    private final Arena memory = Arena.ofShared();
    private final DeviceArena arena = open();
    private final DeviceArena foreign = open();
    private final Kernels kernels = kernels(arena);
    private final F16Shadow shadow = shadow(arena);
    private final Kernel kernel = kernels.compile(KernelSource.of("scale", LostDevice.SCALE));
    private final Kernel foreignKernel = kernels(foreign).compile(KernelSource.of("scale", LostDevice.SCALE));
    private final Binding uniform = kernels.uniform(1000, 0, 0, 0);
    private final Window window = kernels.window(A, B);
    private final KernelBuffer buffer = kernels.buffer("extra", BYTES);
    private final ResultBuffer result = kernels.resultBuffer("result", BYTES);
    private final Bindings bindings = Bindings.of(kernels.window(A), kernels.window(B), uniform);
    private final Recorder recorder = kernels.recorder();
    private final KernelProgram program = kernels.recorder()
            .dispatch(kernel, bindings, Workgroups.of(16))
            .copy(A, B)
            .refresh(A)
            .dispatch(kernel, Bindings.of(kernels.window(B), result, uniform), Workgroups.of(16))
            .build();
    private final Transfer read = arena.beginRead(batch());
    private final Transfer written = arena.beginWrite(writes());
    private final HostMemory host = arena.allocateHost(BYTES);
    private final WgpuHandles handles = wgpu(arena).handles();
    private final Map<Class<?>, List<Value>> values = new HashMap<>();

    private HostileWorld(HostileCalls.State state) {
        this.state = state;
        addNumbers();
        addValues();
        addSegments();
        addFunctions();
        addReads();
        addWrites();
        addKernels();
        addArenas();
    }

    static HostileWorld in(HostileCalls.State state) {
        HostileWorld world = new HostileWorld(state);
        switch (state) {
            case OPEN -> {}
            case CLOSED -> world.arena.close();
            case LOST -> {
                LostDevices.lose();
                try {
                    world.arena.flush();
                    throw new AssertionError("expected the loss to be reported");
                } catch (DeviceLostException expected) {
                    // every later call reports the loss
                }
            }
        }
        return world;
    }

    private static DeviceArena open() {
        return TestArenas.open(plan());
    }

    private static MemoryPlan plan() {
        return TestArenas.plan(0, BYTES, 4096, BYTES, 8102, 30, 8192, 0, 8192, LARGE_BYTES);
    }

    private static Batch batch() {
        return Batch.builder()
                .floats(A, DType.F32, new float[1000])
                .bytes(1, MemorySegment.ofArray(new byte[77]))
                .build();
    }

    private static Batch writes() {
        return Batch.builder()
                .floats(A, DType.F32, new float[1000])
                .elements(B, DType.I64, MemorySegment.ofArray(new long[10]))
                .bytes(1, MemorySegment.ofArray(new byte[77]))
                .build();
    }

    /** Whether the arena is still in the state that the calls need. */
    boolean isAsBefore() {
        return arena.isOpen() == (state != HostileCalls.State.CLOSED);
    }

    /** The objects on which the methods of a type are called. */
    Object subject(Class<?> type) {
        if (state == HostileCalls.State.OPEN && type == HostMemory.class) {
            return arena.allocateHost(BYTES);
        }
        if (state == HostileCalls.State.OPEN && type == Transfer.class) {
            return arena.beginWrite(writes());
        }
        if (state == HostileCalls.State.OPEN && type == Transfer.class) {
            return arena.beginRead(batch());
        }
        if (state == HostileCalls.State.OPEN && type == Recorder.class) {
            return kernels.recorder();
        }
        return Stream.of(
                        arena,
                        wgpu(arena),
                        shadow,
                        read,
                        written,
                        host,
                        kernels,
                        kernels.facts(),
                        recorder,
                        program,
                        window,
                        buffer,
                        result,
                        uniform,
                        kernel,
                        bindings,
                        Workgroups.of(1),
                        KernelSource.of("scale", LostDevice.SCALE),
                        kernel.bindings().getFirst(),
                        new StepTime("step", "kernel", List.of(), 1),
                        batch(),
                        batch().regions().getFirst(),
                        batch().regions().getLast(),
                        Batch.builder(),
                        new Batch.Elements(A, DType.F32, MemorySegment.ofArray(new byte[8])),
                        writes(),
                        writes().regions().getFirst(),
                        writes().regions().get(1),
                        writes().regions().getLast(),
                        Batch.builder(),
                        ArenaOptions.defaults(),
                        handles,
                        TestArenas.PROVIDER)
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing to call the methods of " + type + " on"));
    }

    /** The values of a parameter's type; the first one is valid. */
    List<Value> values(Class<?> type) {
        List<Value> found = values.get(type);
        if (found == null) {
            throw new AssertionError("no values for parameters of " + type);
        }
        return found;
    }

    private void add(Class<?> type, Object... all) {
        List<Value> list = new ArrayList<>();
        for (Object each : all) {
            String label =
                    each != null && each.getClass().isHidden() ? type.getSimpleName() + " " + list.size() : label(each);
            list.add(new Value(label, each, hasNull(each)));
        }
        values.put(type, list);
    }

    private void addOrNull(Class<?> type, Object... all) {
        Object[] more = Arrays.copyOf(all, all.length + 1);
        add(type, more);
    }

    private static boolean hasNull(Object value) {
        return value == null
                || (value instanceof Object[] array && Arrays.asList(array).contains(null));
    }

    private static String label(Object value) {
        String text = switch (value) {
            case null -> "null";
            case float[] array -> array.length + " floats";
            case int[] array -> array.length + " ints";
            case Object[] array -> Arrays.toString(array);
            default -> value.toString();
        };
        String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ");
        return line.length() > 120 ? line.substring(0, 120) + "…" : line;
    }

    private void addNumbers() {
        long size = arena.sizeBytes();
        add(
                long.class,
                0L,
                4L,
                Long.MIN_VALUE,
                -1L,
                1L,
                3L,
                size - 1,
                size,
                size + 1,
                1L << 32,
                Long.MAX_VALUE - 3,
                Long.MAX_VALUE);
        add(byte.class, (byte) 0, (byte) -1, (byte) 0x7F);
        add(int.class, 1, 0, Integer.MIN_VALUE, -1, 3, 65_535, 65_536, Integer.MAX_VALUE);
        add(double.class, 1.0, 0.0, Double.NaN, Double.NEGATIVE_INFINITY, 1e300);
        add(boolean.class, true, false);
        addOrNull(OptionalDouble.class, OptionalDouble.of(1), OptionalDouble.empty(), OptionalDouble.of(Double.NaN));
        addOrNull(int[].class, new int[] {1, 2, 3}, new int[0], new int[16_384], new int[16_385], new int[1 << 20]);
        addOrNull(float[].class, new float[1000], new float[0], new float[1], new float[1001], new float[300_000]);
        addOrNull(
                Duration.class,
                Duration.ofMillis(100),
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MIN_VALUE));
    }

    private void addValues() {
        addOrNull(Object.class, "another", this);
        addOrNull(
                String.class,
                "a name",
                "",
                " ",
                "\0",
                "a\0b",
                "\ud800",
                "\uD83D\uDE80".repeat(40_000),
                "a %s \" ' \\ ${x}",
                "\n\r\t");
        addOrNull(NodeId.class, A, B, ODD, EMPTY, LARGE, UNKNOWN, NodeId.of(Long.MAX_VALUE));
        addOrNull(
                NodeId[].class,
                new NodeId[] {A},
                new NodeId[0],
                new NodeId[] {A, B, A},
                new NodeId[] {ODD},
                new NodeId[] {EMPTY},
                new NodeId[] {A, UNKNOWN},
                new NodeId[] {null},
                new NodeId[] {LARGE, A});
        addOrNull(DType.class, (Object[]) withFirst(DType.F32, DType.values()));
        addOrNull(Optional.class, Optional.empty(), Optional.of(MemorySegment.NULL));
        addOrNull(Path.class, Path.of("library"), Path.of(""));
        addOrNull(List.class, List.of(), List.of(1, "2"));
        addOrNull(Map.class, Map.of(), Map.of("x", 1.0), Map.of("", Double.NaN), Map.of("a\0b", 1e300));
        addOrNull(KernelBinding.Access.class, (Object[]) KernelBinding.Access.values());
        addOrNull(Class.class, WgpuArena.class, F16Shadow.class, MemorySegment.class, Object.class, int.class);
        addOrNull(F16ShadowMode.class, (Object[]) F16ShadowMode.values());
    }

    private static DType[] withFirst(DType first, DType[] all) {
        return Stream.concat(Stream.of(first), Arrays.stream(all).filter(each -> each != first))
                .toArray(DType[]::new);
    }

    private void addSegments() {
        Arena closed = Arena.ofShared();
        MemorySegment dead = closed.allocate(BYTES);
        closed.close();
        addOrNull(
                MemorySegment.class,
                MemorySegment.ofArray(new byte[BYTES]),
                MemorySegment.NULL,
                MemorySegment.ofArray(new byte[0]),
                MemorySegment.ofArray(new byte[BYTES + 1]).asSlice(1),
                MemorySegment.ofArray(new byte[7]),
                MemorySegment.ofArray(new float[1001]).asSlice(2, BYTES),
                MemorySegment.ofArray(new long[500]).asSlice(4, 3992),
                MemorySegment.ofArray(new char[2]),
                MemorySegment.ofArray(new byte[BYTES]).asReadOnly(),
                MemorySegment.ofArray(new byte[2 * LARGE_BYTES]),
                memory.allocate(BYTES, 8),
                memory.allocate(LARGE_BYTES + 1, 8).asSlice(1),
                memory.allocate(70_000, 8).asSlice(1),
                memory.allocate(BYTES).asReadOnly(),
                dead,
                confinedToAnother());
    }

    private static MemorySegment confinedToAnother() {
        return CompletableFuture.supplyAsync(
                        () -> Arena.ofConfined().allocate(BYTES),
                        task -> Thread.ofPlatform().start(task))
                .join();
    }

    @SuppressWarnings("NullAway") // a function that returns null is hostile
    private void addFunctions() {
        addOrNull(
                LongConsumer.class,
                named("does nothing", (LongConsumer) _ -> {}),
                (LongConsumer) _ -> {
                    throw new OfCallback();
                },
                (LongConsumer) _ -> arena.close(),
                (LongConsumer) _ -> arena.writeBytes(0, MemorySegment.ofArray(new byte[5])));
        addOrNull(
                Runnable.class,
                (Runnable) () -> {},
                (Runnable) () -> {
                    throw new OfCallback();
                },
                (Runnable) () -> arena.close(),
                (Runnable) () -> arena.writeBytes(0, MemorySegment.ofArray(new byte[5])));
        Function<MemorySegment, Object> reads = MemorySegment::byteSize;
        Function<MemorySegment, Object> returnsNull = _ -> null;
        Function<MemorySegment, Object> throwsIt = _ -> {
            throw new OfCallback();
        };
        Function<MemorySegment, Object> closes = mapped -> {
            arena.close();
            return mapped.get(ValueLayout.JAVA_BYTE, 0);
        };
        Function<MemorySegment, Object> keeps = mapped -> mapped;
        Function<MemorySegment, Object> writes = mapped -> mapped.fill((byte) 1);
        Function<MemorySegment, Object> calls = mapped -> {
            arena.readBytes(0, MemorySegment.ofArray(new byte[9]));
            arena.flush();
            return arena.withBytes(0, 1, MemorySegment::byteSize);
        };
        addOrNull(Function.class, reads, returnsNull, throwsIt, closes, keeps, writes, calls);
        addOrNull(Bindings.Visitor.class, (Bindings.Visitor) (_, _, _) -> {}, (Bindings.Visitor) (_, _, _) -> {
            throw new OfCallback();
        });
    }

    private static LongConsumer named(String name, LongConsumer function) {
        return new LongConsumer() {
            @Override
            public void accept(long value) {
                function.accept(value);
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    private void addReads() {
        Batch.Builder many = Batch.builder();
        for (int i = 0; i < 3000; i++) {
            many.bytes(7L * i, MemorySegment.ofArray(new byte[i % 9]));
        }
        Arena confined = Arena.ofShared();
        MemorySegment dead = confined.allocate(BYTES);
        confined.close();
        addOrNull(
                Batch.class,
                batch(),
                Batch.builder().build(),
                many.build(),
                Batch.builder().floats(UNKNOWN, DType.F32, new float[1]).build(),
                Batch.builder()
                        .floats(ODD, DType.F16, new float[1000])
                        .floats(EMPTY, DType.F32, new float[5])
                        .build(),
                Batch.builder()
                        .bytes(Long.MAX_VALUE, MemorySegment.ofArray(new byte[9]))
                        .build(),
                Batch.builder()
                        .bytes(arena.sizeBytes(), MemorySegment.ofArray(new byte[1]))
                        .build(),
                Batch.builder()
                        .bytes(0, MemorySegment.ofArray(new byte[4 * LARGE_BYTES]))
                        .build(),
                Batch.builder().bytes(0, dead).build(),
                Batch.builder().bytes(0, confinedToAnother()).build(),
                Batch.builder().bytes(0, memory.allocate(LARGE_BYTES)).build());
    }

    private void addWrites() {
        Batch.Builder many = Batch.builder();
        for (int i = 0; i < 3000; i++) {
            many.bytes(7L * i, MemorySegment.ofArray(new byte[i % 9]));
        }
        addOrNull(
                Batch.class,
                writes(),
                Batch.builder().build(),
                many.build(),
                Batch.builder().floats(UNKNOWN, DType.F32, new float[1]).build(),
                Batch.builder()
                        .floats(ODD, DType.F16, new float[1000])
                        .floats(EMPTY, DType.F32, new float[5])
                        .build(),
                Batch.builder()
                        .elements(ODD, DType.I64, MemorySegment.ofArray(new long[5]))
                        .build(),
                Batch.builder()
                        .bytes(Long.MAX_VALUE, MemorySegment.ofArray(new byte[9]))
                        .build(),
                Batch.builder()
                        .bytes(arena.sizeBytes(), MemorySegment.ofArray(new byte[1]))
                        .build(),
                Batch.builder().bytes(0, confinedToAnother()).build(),
                Batch.builder()
                        .bytes(0, memory.allocate(LARGE_BYTES).asReadOnly())
                        .build());
    }

    private static String main(String body) {
        return "@compute @workgroup_size(1) fn main() { " + body + " }";
    }

    private void addKernels() {
        addOrNull(
                KernelSource.class,
                KernelSource.of("scale", LostDevice.SCALE),
                KernelSource.of("", ""),
                KernelSource.of("garbage", GARBAGE),
                KernelSource.of("surrogate \ud800", LostDevice.SCALE + "// \ud800"),
                KernelSource.of("out of bounds", OUT_OF_BOUNDS),
                KernelSource.of("too wide", TOO_WIDE),
                KernelSource.of("far", FAR_BINDINGS),
                KernelSource.of("nested", main("let a = " + "(".repeat(3000) + "1" + ")".repeat(3000) + ";")),
                KernelSource.of("blocks", main("{".repeat(3000) + "}".repeat(3000))),
                KernelSource.of("ifs", main("if true {} else ".repeat(2000) + "{}")),
                KernelSource.of("signs", main("let a = " + "- ".repeat(5000) + "1;")),
                KernelSource.of("sum", main("var a = 1u; a = a" + " + a".repeat(5000) + ";")),
                KernelSource.of(
                        "types",
                        "var<private> a: " + "array<".repeat(2000) + "u32" + ", 1>".repeat(2000) + ";" + main("")),
                KernelSource.of("computes", "@compute ".repeat(50_000)),
                KernelSource.of("overrides", "override a: ".repeat(50_000)),
                KernelSource.of("spaces", "@a" + " ".repeat(200_000) + "x"),
                KernelSource.of("attributes", "@group(0) ".repeat(5000) + main("")),
                KernelSource.of("long", LostDevice.SCALE + "// " + "x".repeat(1 << 20)),
                KernelSource.of("scale", LostDevice.SCALE).withEntryPoint("nothing"),
                KernelSource.of("scale", LostDevice.SCALE).withConstant("nothing", Double.NaN),
                new KernelSource("a\0b", "\0", "\0", Map.of("\0", 0.0)));
        addOrNull(Kernel.class, kernel, foreignKernel, new OwnKernel());
        Binding own = () -> 16;
        addOrNull(
                Binding.class,
                window,
                buffer,
                result,
                uniform,
                kernels.arena(),
                kernels.shadow(),
                kernels.shadowWindow(A),
                kernels(foreign).arena(),
                kernels(foreign).buffer("foreign", 64),
                own);
        addOrNull(
                ResultBuffer.class,
                result,
                kernels.resultBuffer("unbound", 16),
                kernels(foreign).resultBuffer("foreign", BYTES),
                new OwnResult());
        addOrNull(
                Binding[].class,
                new Binding[] {window, buffer},
                new Binding[0],
                new Binding[] {own, null},
                new Binding[] {kernels(foreign).arena(), uniform});
        addOrNull(
                Bindings.class,
                bindings,
                Bindings.none(),
                Bindings.of(window, window, uniform),
                Bindings.of(kernels.window(A), kernels.window(B), window),
                Bindings.of(kernels.window(A), uniform, uniform),
                Bindings.of(kernels.shadowWindow(A), kernels.window(B), buffer),
                Bindings.of(kernels(foreign).window(A), kernels.window(B), uniform),
                Bindings.of(own, own, own),
                bindings.with(Integer.MAX_VALUE, Integer.MAX_VALUE, buffer));
        addOrNull(
                Workgroups.class,
                Workgroups.of(16),
                Workgroups.of(0),
                Workgroups.of(-1),
                Workgroups.of(Integer.MIN_VALUE),
                Workgroups.of(Integer.MAX_VALUE),
                new Workgroups(1, 1, kernels.facts().maxWorkgroups() + 1),
                new Workgroups(1, 65_535, 0));
    }

    /** A caller's own implementation of an interface. */
    private static final class OwnResult implements ResultBuffer {
        @Override
        public long bytes() {
            return 16;
        }

        @Override
        public void close() {}
    }

    /** A kernel that no arena made. */
    private static final class OwnKernel implements Kernel {
        @Override
        public void close() {}

        @Override
        public String label() {
            return "own";
        }

        @Override
        public List<KernelBinding> bindings() {
            return List.of();
        }

        @Override
        public String toString() {
            return "own kernel";
        }
    }

    private void addArenas() {
        addOrNull(DeviceArena.class, arena, foreign);
        ArenaDevice device = TestArenas.device();
        addOrNull(
                ArenaDevice.class,
                device,
                new ArenaDevice("cpu", 0, device.name(), "", device.kind(), 1, device.limits(), device.capabilities()),
                new ArenaDevice(
                        device.provider(),
                        Integer.MAX_VALUE,
                        device.name(),
                        device.description(),
                        device.kind(),
                        device.priority(),
                        device.limits(),
                        device.capabilities()));
        addOrNull(
                MemoryPlan.class,
                plan(),
                new MemoryPlan(0, Map.of(), List.of()),
                new MemoryPlan(1, Map.of(), List.of(UNKNOWN)),
                new MemoryPlan(Long.MAX_VALUE, Map.of(A, new BufferSlot(Long.MAX_VALUE - 1, 1)), List.of(A)),
                new MemoryPlan(1L << 50, Map.of(), List.of()));
        ArenaOptions options = ArenaOptions.defaults();
        addOrNull(
                ArenaOptions.class,
                options,
                options.withScratchBytes(Long.MAX_VALUE),
                options.withScratchBytes(1L << 60),
                options.withLabel("a\0b\ud800"),
                options.withLabel("x".repeat(1 << 20)),
                options.withProvider("other").withF16Shadow(F16ShadowMode.OFF));
        addOrNull(DeviceSelector.class, new DeviceSelector.ByIndex(0), new DeviceSelector.ByName("no such name"));
    }

    @Override
    public void close() {
        arena.close();
        foreign.close();
        memory.close();
    }
}
