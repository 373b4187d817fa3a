package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.Transfer;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.spi.observation.ArenaCall;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaTrace;
import io.devicearena.spi.observation.CheckedAccess;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.spi.observation.MemoryWatch;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The arena in front of every backend: it finds the slot of a value, cuts data to the slot, checks every argument,
 * keeps actual lengths, opens views, closes once, and frees the memory when it is dropped without close.
 *
 * <p>The memory is freed exactly once, by the last {@link #close} of the arena and its views or, when they were
 * dropped, by a cleaner thread that writes a line to the log. When the backend cannot free it yet, for example while a
 * native call uses its segment, {@link #close} throws what the backend throws. The arena then refuses every call, and
 * its memory is freed by the next {@link #close} or once the arena is dropped.
 *
 * <p>Threads: safe for any thread.
 */
final class StandardArena implements DeviceArena, OpenArena {
    /** Bytes written between two reports of progress: enough to cost nothing, few enough for a smooth bar. */
    private static final long PROGRESS_BYTES = 16L << 20;

    private static final FloatCall<float[]> WRITE_ARRAY = new FloatCall<>(
            ArenaCall.WRITE,
            MemorySegment::ofArray,
            (backend, slot, dtype, floats, elements) -> backend.writeFloats(slot, dtype, floats, (int) elements));
    private static final FloatCall<float[]> READ_ARRAY = new FloatCall<>(
            ArenaCall.READ,
            MemorySegment::ofArray,
            (backend, slot, dtype, floats, elements) -> backend.readFloats(slot, dtype, floats, (int) elements));
    private static final FloatCall<MemorySegment> WRITE_SEGMENT =
            new FloatCall<>(ArenaCall.WRITE, segment -> segment, ArenaBackend::writeFloats);
    private static final FloatCall<MemorySegment> READ_SEGMENT =
            new FloatCall<>(ArenaCall.READ, segment -> segment, ArenaBackend::readFloats);
    private static final Call<MemorySegment> WRITE_BYTES = new Call<>(ArenaCall.WRITE, ArenaBackend::write);
    private static final Call<MemorySegment> READ_BYTES = new Call<>(ArenaCall.READ, ArenaBackend::read);
    private static final Call<List<Span>> WRITE_SPANS =
            new Call<>(ArenaCall.WRITE_BATCH, (backend, _, spans) -> backend.write(spans));
    private static final Call<List<Span>> READ_SPANS =
            new Call<>(ArenaCall.READ_BATCH, (backend, _, spans) -> backend.read(spans));
    private static final Call<Runnable> CHANGE = new Call<>(ArenaCall.CHANGE, (_, _, change) -> change.run());

    private static final System.Logger LOG = System.getLogger("io.devicearena");
    private static final Cleaner CLEANER = Cleaner.create();

    private final ArenaBackend backend;
    private final SlotTable slots;
    private final ArenaGeometry geometry;
    private final ArenaDevice device;
    private final MemoryPlan plan;
    private final ArenaOptions options;
    /** What log lines say of the arena. */
    private final ArenaIdentity identity;
    /** A view of the weights of another arena, so that they stay open; null for none. */
    private final @Nullable DeviceArena weights;

    private final SharedMemory memory;
    /** Counts the calls of this arena; closed, it frees its host memory and ends its use of the memory. */
    private final GuardedMemory calls;
    /** What {@code allocateHost} returned; freed with this arena. */
    private final HostMemories hostMemories;

    private final MemoryRelease release;
    private final Cleaner.Cleanable cleanable;
    private final ArenaTrace trace;
    /** What checks the execution; null for an arena without checks. */
    private final @Nullable ExecutionChecks checks;

    /** What the backend returned for each type that was asked for. */
    private final Map<Class<?>, Optional<?>> unwrapped = new HashMap<>();

    private volatile boolean open = true;

    /** Opens an arena of a provider. */
    static DeviceArena open(DeviceArenaProvider provider, ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
        MemoryWatch watch = Observation.OBSERVER.watch(geometry.planBytes(), options.checks());
        ArenaBackend backend = provider.open(device, plan, options);
        if (backend == null) {
            throw new DeviceException(provider.getClass().getName()
                    + ".open(): expected a backend, got null; report this to the provider's author");
        }
        SharedMemory memory = new SharedMemory(backend, watch);
        return open(memory, () -> new StandardArena(device, plan, options, geometry, memory, false));
    }

    /** Opens an arena on memory, or a view; its use of the memory ends again if that fails. */
    private static DeviceArena open(SharedMemory memory, Supplier<DeviceArena> arena) {
        try {
            return arena.get();
        } catch (RuntimeException | Error e) {
            memory.release();
            throw e;
        }
    }

    @SuppressWarnings("this-escape") // the cleaner keeps a phantom reference, and the checks call nothing of it yet
    private StandardArena(
            ArenaDevice device,
            MemoryPlan plan,
            ArenaOptions options,
            ArenaGeometry geometry,
            SharedMemory memory,
            boolean isView) {
        this.backend = memory.backend;
        this.slots = new SlotTable(plan, geometry.sizeBytes(), options.reinterpretation());
        this.geometry = geometry;
        this.device = device;
        this.plan = plan;
        this.options = options;
        this.memory = memory;
        this.identity = new ArenaIdentity(
                options.label(),
                device,
                geometry.sizeBytes(),
                geometry.segments().count(),
                isView);
        DeviceArena held =
                options.weights().map(arena -> arena.view(arena.plan())).orElse(null);
        this.weights = held;
        this.checks = options.checks()
                ? memory.watch.checks(
                        plan,
                        !options.reinterpretation(),
                        weightsInFront().flatMap(OpenArena::checks),
                        new UncheckedAccess())
                : null;
        HostMemories host = new HostMemories();
        this.hostMemories = host;
        this.calls = new GuardedMemory(() -> {
            host.close(); // a device may need its own memory for that
            memory.release();
            if (held != null) {
                held.close();
            }
        });
        this.trace = memory.watch.opened(identity);
        this.release = new MemoryRelease(calls, identity, trace);
        this.cleanable = CLEANER.register(this, release);
        LOG.log(System.Logger.Level.DEBUG, () -> identity.text() + " was opened");
    }

    /** The memory as the checks read and write it. Threads: safe for any thread. */
    private final class UncheckedAccess implements CheckedAccess {
        @Override
        public void read(long offset, MemorySegment destination) {
            invoke(READ_BYTES.hook, offset, destination);
        }

        @Override
        public void write(long offset, MemorySegment source) {
            invoke(WRITE_BYTES.hook, offset, source);
        }

        @Override
        public long lengthBytes(NodeId id) {
            return slots.require(id).length;
        }
    }

    private void enter() {
        if (!calls.tryEnter()) {
            throw closed(null);
        }
    }

    /** Ends a call, and keeps the arena reachable until then. */
    private void leave() {
        try {
            calls.leave();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public DeviceArena arena() {
        return this;
    }

    @Override
    public BufferSlot requireSlot(NodeId id) {
        return slots.require(id).slot;
    }

    @Override
    public GuardedMemory memory() {
        return memory.guard;
    }

    @Override
    public Optional<ExecutionChecks> checks() {
        return Optional.ofNullable(checks);
    }

    @Override
    public Optional<OpenArena> weightsInFront() {
        return weights instanceof OpenArena used ? Optional.of(used) : Optional.empty();
    }

    @Override
    public List<Span> writes(Batch batch) {
        return slots.written(Objects.requireNonNull(batch, "batch")).list();
    }

    @Override
    public List<Span> reads(Batch batch, boolean byAnyThread) {
        return slots.read(Objects.requireNonNull(batch, "batch"), byAnyThread).list();
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        Objects.requireNonNull(type, "type");
        requireOpen();
        if (type == OpenArena.class) {
            return Optional.of(type.cast(this));
        }
        if (type == ExecutionChecks.class) {
            return Optional.ofNullable(checks).map(type::cast);
        }
        if (checks != null) {
            checks.begin();
        }
        synchronized (unwrapped) { // not computeIfAbsent: a backend may unwrap one type to make another
            Optional<?> known = unwrapped.get(type);
            if (known == null) {
                known = backend.unwrap(type, this);
                unwrapped.put(type, known);
            }
            return known.map(type::cast);
        }
    }

    @Override
    public ArenaDevice device() {
        requireOpen();
        return device;
    }

    @Override
    public MemoryPlan plan() {
        requireOpen();
        return plan;
    }

    @Override
    public long sizeBytes() {
        requireOpen();
        return geometry.sizeBytes();
    }

    @Override
    public SegmentLayout segments() {
        requireOpen();
        return geometry.segments();
    }

    @Override
    public long scratchOffset() {
        requireOpen();
        return geometry.planBytes();
    }

    @Override
    public boolean hasBuffer(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        return slots.find(id) != null;
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot.slot.offset());
    }

    @Override
    public long lengthBytes(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? 0 : slot.length;
    }

    @Override
    public void setActualLength(NodeId id, long bytes) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.require(id);
        if (bytes < 0 || bytes > slot.slot.size()) {
            throw new IllegalArgumentException(
                    slots.describe(id) + ": expected an actual length of 0 to " + slot.slot.size()
                            + " bytes, what its slot holds, got " + bytes + "; plan the value with more elements");
        }
        slots.setLength(slot, bytes);
    }

    @Override
    public DeviceArena view(MemoryPlan other) {
        requireOpen();
        if (Objects.requireNonNull(other, "plan").arenaSize() > geometry.planBytes()) {
            throw new IllegalArgumentException("view: expected a plan of at most " + geometry.planBytes()
                    + " bytes, what the plan of this arena has, got " + other.arenaSize()
                    + "; plan the graphs together, or open an arena for it");
        }
        other.slots().forEach((id, slot) -> requireSegment(other.describe(id), slot));
        ArenaOptions own = weights == null ? options : options.withWeights(weights);
        try {
            memory.use();
        } catch (IllegalStateException e) {
            throw closedOr(e); // another thread has closed the last arena of the memory since the check
        }
        return open(memory, () -> new StandardArena(device, other, own, geometry, memory, true));
    }

    /** A value lies in one segment, or begins where one begins if it is larger. */
    private void requireSegment(String value, BufferSlot slot) {
        SegmentLayout segments = geometry.segments();
        int segment = segments.indexOf(slot.offset());
        boolean isLarge = slot.offset() == segments.start(segment)
                && slot.size() > device.limits().maxSegmentBytes();
        if (slot.end() > segments.end(segment) && !isLarge) {
            throw new IllegalArgumentException("view: expected values within one segment, got " + value + " at "
                    + slot.offset() + " to " + slot.end() + " across the end of a segment at " + segments.end(segment)
                    + "; plan the graphs together for this device");
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        try {
            if (trace.close(release::close)) {
                LOG.log(System.Logger.Level.DEBUG, () -> identity.text() + " was closed");
            }
            cleanable.clean(); // not before: after a release that threw, the next close or the cleaner tries again
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public String toString() {
        return identity.text() + (open ? "" : " (closed)");
    }

    @Override
    public void requireOpen() {
        if (!open) {
            throw closed(null);
        }
    }

    private IllegalStateException closedOr(IllegalStateException thrown) {
        return open ? thrown : closed(thrown);
    }

    private IllegalStateException closed(@Nullable IllegalStateException cause) {
        return new IllegalStateException("device arena '" + identity.label() + "' is closed; open a new one", cause);
    }

    @Override
    public long writeInputF32(NodeId id, DType dtype, float[] data) {
        Objects.requireNonNull(data, "data");
        SlotState slot = requireFloats(id, dtype);
        long count = Math.min(data.length, slot.valueBytes / dtype.bytes());
        move(WRITE_ARRAY, slot, dtype, data, count);
        return count;
    }

    @Override
    public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        ArenaChecks.requireFloats("data", data);
        SlotState slot = requireFloats(id, dtype);
        CallerMemory.requireAccess("data", data);
        long count = Math.min(data.byteSize() / Float.BYTES, slot.valueBytes / dtype.bytes());
        move(WRITE_SEGMENT, slot, dtype, data, count);
        return count;
    }

    @Override
    public float[] readOutputF32(NodeId id, DType dtype, long elements) {
        SlotState slot = requireFloats(id, dtype);
        ArenaChecks.requireNotNegative(elements);
        float[] result = new float[ArenaChecks.arrayLength(Math.min(elements, slot.length / dtype.bytes()))];
        move(READ_ARRAY, slot, dtype, result, result.length);
        return result;
    }

    @Override
    public long readOutputF32(NodeId id, DType dtype, float[] destination) {
        Objects.requireNonNull(destination, "destination");
        SlotState slot = requireFloats(id, dtype);
        long count = Math.min(destination.length, slot.length / dtype.bytes());
        move(READ_ARRAY, slot, dtype, destination, count);
        return count;
    }

    @Override
    public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        ArenaChecks.requireFloats("destination", destination);
        CallerMemory.requireWritable("destination", destination);
        SlotState slot = requireFloats(id, dtype);
        CallerMemory.requireAccess("destination", destination);
        long count = Math.min(destination.byteSize() / Float.BYTES, slot.length / dtype.bytes());
        move(READ_SEGMENT, slot, dtype, destination, count);
        return count;
    }

    private SlotState requireFloats(NodeId id, DType dtype) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        return slots.require(id, dtype);
    }

    @Override
    public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        SlotState slot = requirePart(id, firstByte, Objects.requireNonNull(data, "data"));
        CallerMemory.requireAccess("source", data);
        move(WRITE_BYTES, slot, slot.slot.offset() + firstByte, data);
    }

    @Override
    public void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
        CallerMemory.requireWritable("destination", Objects.requireNonNull(destination, "destination"));
        SlotState slot = requirePart(id, firstByte, destination);
        CallerMemory.requireAccess("destination", destination);
        move(READ_BYTES, slot, slot.slot.offset() + firstByte, destination);
    }

    private SlotState requirePart(NodeId id, long firstByte, MemorySegment bytes) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.require(id);
        ArenaChecks.requirePart(slots, id, firstByte, bytes.byteSize(), slot.slot.size());
        return slot;
    }

    @Override
    public void writeBytes(long offset, MemorySegment source) {
        Objects.requireNonNull(source, "source");
        requireRange(offset, source.byteSize());
        CallerMemory.requireAccess("source", source);
        move(WRITE_BYTES, null, offset, source);
    }

    @Override
    public void readBytes(long offset, MemorySegment destination) {
        CallerMemory.requireWritable("destination", Objects.requireNonNull(destination, "destination"));
        requireRange(offset, destination.byteSize());
        CallerMemory.requireAccess("destination", destination);
        move(READ_BYTES, null, offset, destination);
    }

    @Override
    public void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(progress, "progress");
        long length = source.byteSize();
        requireRange(offset, length);
        for (long done = 0; done < length; ) {
            long chunk = Math.min(length - done, PROGRESS_BYTES);
            writeBytes(offset + done, source.asSlice(done, chunk));
            done += chunk;
            progress.accept(done);
        }
    }

    @Override
    public <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader) {
        Objects.requireNonNull(reader, "reader");
        ArenaChecks.requireLength(length);
        requireRange(offset, length);
        if (length == 0) {
            return reader.apply(MemorySegment.ofArray(new byte[0]).asReadOnly());
        }
        HostAllocation mapped = move(
                ArenaCall.READ,
                List.of(SlotTable.bytes(offset, length, MemorySegment.NULL)),
                () -> backend.map(offset, length));
        try { // outside the call: a close does not wait for the caller's function
            return reader.apply(mapped.segment().asReadOnly());
        } finally {
            mapped.free();
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void fillBytes(long offset, long length, byte value) {
        ArenaChecks.requireLength(length);
        requireRange(offset, length);
        change(offset, length, () -> backend.fill(offset, length, value));
    }

    @Override
    public void copyBytes(long from, long to, long length) {
        ArenaChecks.requireLength(length);
        requireRange(from, length);
        requireRange(to, length);
        change(to, from == to ? 0 : length, () -> backend.copy(from, to, length));
    }

    /** Changes a range by a method of the backend, unless it is empty. */
    private void change(long offset, long length, Runnable hook) {
        if (length > 0) {
            move(CHANGE, List.of(SlotTable.bytes(offset, length, MemorySegment.NULL)), hook);
        }
    }

    @Override
    public void writeBatch(Batch batch) {
        requireOpen();
        List<Span> spans = writes(batch);
        move(WRITE_SPANS, spans, spans);
    }

    @Override
    public long readBatch(Batch batch) {
        requireOpen();
        Spans spans = slots.read(Objects.requireNonNull(batch, "batch"), false);
        move(READ_SPANS, spans.list(), spans.list());
        return spans.elements();
    }

    @Override
    public Transfer beginWrite(Batch batch) {
        requireOpen();
        Spans spans = slots.written(Objects.requireNonNull(batch, "batch"));
        return move(ArenaCall.BEGIN_WRITE, spans.list(), () -> handle(backend.beginWrite(spans.list()), spans));
    }

    @Override
    public Transfer beginRead(Batch batch) {
        requireOpen();
        Spans spans = slots.read(Objects.requireNonNull(batch, "batch"), true);
        return move(ArenaCall.BEGIN_READ, spans.list(), () -> handle(backend.beginRead(spans.list()), spans));
    }

    /** The handle of a transfer that the backend has begun. */
    private Transfer handle(Optional<StagedRead> begun, Spans spans) {
        return begun.isEmpty()
                ? new CompletedTransfer(spans.elements())
                : memory.guard.begin(begun.get(), spans.elements(), this);
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: expected 1 or more, got " + bytes);
        }
        requireOpen();
        return invoke(() -> hostMemories.add(backend.allocateHost(bytes), bytes, this));
    }

    @Override
    public void flush() {
        requireOpen();
        invoke((device, _, _) -> device.flush(), 0, this); // captures nothing, and so allocates nothing
    }

    private void requireRange(long offset, long length) {
        requireOpen();
        ArenaChecks.requireRange(offset, length, geometry.sizeBytes());
    }

    private boolean isObserved() {
        return checks != null || trace.isRecording();
    }

    /** Makes a call of which the observer wants to know. */
    private void observe(ArenaCall kind, List<Span> spans, Runnable move) {
        Runnable recorded = trace.isRecording() ? () -> trace.record(kind, spans, move) : move;
        if (checks == null) {
            recorded.run();
        } else if (kind.isRead()) {
            checks.requireReadable(spans);
            recorded.run();
        } else {
            checks.write(spans, recorded);
        }
    }

    /** Moves floats of a value, unless there are none. */
    private <M> void move(FloatCall<M> call, SlotState slot, DType dtype, M memory, long elements) {
        if (elements == 0) {
            return;
        }
        if (isObserved()) {
            Span span = slot.floats(dtype, call.segment.apply(memory), elements);
            observe(call.kind, List.of(span), () -> invoke(call, slot, dtype, memory, elements));
        } else {
            invoke(call, slot, dtype, memory, elements);
        }
    }

    /** Moves bytes of a value, or of none, unless there are none. */
    private void move(Call<MemorySegment> call, @Nullable SlotState slot, long offset, MemorySegment memory) {
        if (memory.byteSize() == 0) {
            return;
        }
        if (isObserved()) {
            Span span = slot == null ? SlotTable.bytes(offset, memory.byteSize(), memory) : slot.bytes(offset, memory);
            observe(call.kind, List.of(span), () -> invoke(call.hook, offset, memory));
        } else {
            invoke(call.hook, offset, memory);
        }
    }

    private <M> void move(Call<M> call, List<Span> spans, M argument) {
        if (isObserved()) {
            observe(call.kind, spans, () -> invoke(call.hook, 0, argument));
        } else {
            invoke(call.hook, 0, argument);
        }
    }

    /** Makes a call that returns something. */
    private <T> T move(ArenaCall kind, List<Span> spans, Supplier<T> call) {
        if (!isObserved()) {
            return invoke(call);
        }
        AtomicReference<T> result = new AtomicReference<>();
        observe(kind, spans, () -> result.set(invoke(call)));
        return result.get();
    }

    // Each invoke keeps the arena alive until the backend has returned, and waits for no other call.

    private <M> void invoke(FloatCall<M> call, SlotState slot, DType dtype, M memory, long elements) {
        enter();
        try {
            call.hook.apply(backend, slot.slot, dtype, memory, elements);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    private <M> void invoke(Hook<M> hook, long offset, M memory) {
        enter();
        try {
            hook.apply(backend, offset, memory);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    private <T> T invoke(Supplier<T> call) {
        enter();
        try {
            return call.get();
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    /**
     * A method of the backend that moves floats. The constants capture nothing, so that a call allocates nothing.
     *
     * @param kind what the observer hears
     * @param segment the memory as a segment
     * @param hook makes the call
     */
    private record FloatCall<M>(ArenaCall kind, Function<M, MemorySegment> segment, FloatHook<M> hook) {}

    /** A method of the backend that moves bytes, spans, or nothing of the host. */
    private record Call<M>(ArenaCall kind, Hook<M> hook) {}

    @FunctionalInterface
    private interface FloatHook<M> {
        void apply(ArenaBackend backend, BufferSlot slot, DType dtype, M memory, long elements);
    }

    @FunctionalInterface
    private interface Hook<M> {
        void apply(ArenaBackend backend, long offset, M memory);
    }
}
