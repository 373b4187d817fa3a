package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.SegmentLayout;
import io.devicearena.Transfer;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A correct arena in small steps, each of which a mutant can break. Its reads are really deferred and its shadow is
 * kept by the element, so that faults of devices can be made here. It shares no code with StandardArena.
 */
class ReferenceArena implements DeviceArena {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int PIECE = 1 << 16;

    final MemorySegment memory;
    final ArenaGeometry geometry;
    private final ArenaDevice device;
    private final MemoryPlan plan;
    private final ArenaOptions options;
    private final Map<NodeId, Long> lengths = new ConcurrentHashMap<>();
    private final List<ReferenceRead> pending = new ArrayList<>();
    private final List<ReferenceHost> hosts = new CopyOnWriteArrayList<>();
    private final @Nullable ReferenceShadow shadow;
    private final @Nullable DeviceArena weights;
    private final ReferenceMemory shared;
    private final ReferenceMemory.Use use;
    private final Cleaner.Cleanable cleanable;
    /** Done when the close is over. */
    final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    volatile boolean open = true;

    ReferenceArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        this.device = device;
        this.plan = plan;
        this.options = options;
        this.geometry = geometry;
        this.weights = options.weights().map(this::hold).orElse(null);
        Arena owner = Arena.ofShared();
        this.memory = allocate(owner, geometry.sizeBytes());
        this.shadow = options.f16Shadow() == F16ShadowMode.OFF
                        || !device.capabilities().contains(Capability.F16_SHADOW)
                ? null
                : shadow(options.f16Shadow());
        this.shared = new ReferenceMemory(owner);
        this.use = shared.use(weights, options.label());
        this.cleanable = CLEANER.register(this, use);
    }

    /** Another plan on the memory of an arena. */
    ReferenceArena(ReferenceArena arena, MemoryPlan plan) {
        this.device = arena.device;
        this.plan = plan;
        this.options = arena.options;
        this.geometry = arena.geometry;
        this.weights = arena.weights == null ? null : hold(arena.weights);
        this.memory = arena.memory;
        this.shadow = arena.shadow == null ? null : new ReferenceShadow(this, arena.shadow);
        this.shared = arena.shared;
        this.use = shared.use(weights, options.label());
        this.cleanable = CLEANER.register(this, use);
    }

    // ---- the steps that mutants break

    MemorySegment allocate(Arena owner, long bytes) {
        return owner.allocate(bytes, 8);
    }

    ReferenceShadow shadow(F16ShadowMode mode) {
        return new ReferenceShadow(this, mode);
    }

    void requireOpen() {
        if (!open) {
            throw new IllegalStateException("arena: expected it to be open, got it closed");
        }
    }

    /** The slot of a value, or null. */
    @Nullable BufferSlot find(NodeId id) {
        return plan.slots().get(Objects.requireNonNull(id, "id"));
    }

    BufferSlot require(NodeId id) {
        BufferSlot slot = find(id);
        if (slot == null) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a value with a slot, got one without");
        }
        return slot;
    }

    /** What the plan knows of a value, or null if any typed access is allowed. */
    @Nullable PlanValue known(NodeId id) {
        return options.reinterpretation() ? null : plan.values().get(id);
    }

    void requirePlanned(NodeId id, DType dtype) {
        PlanValue value = known(id);
        if (value != null && value.dtype() != dtype) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected "
                    + value.dtype().label() + ", got " + dtype.label() + "; open it withReinterpretation");
        }
    }

    void requirePart(NodeId id, long firstByte, long length, long bytes) {
        if (firstByte < 0 || length > bytes || firstByte > bytes - length) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a part of " + bytes + " bytes, got "
                    + length + " from " + firstByte);
        }
    }

    /** How many bytes typed writes may change. */
    long valueBytes(NodeId id, BufferSlot slot) {
        PlanValue value = known(id);
        return value == null ? slot.size() : value.bytes();
    }

    void requireType(DType dtype) {
        if (!Objects.requireNonNull(dtype, "dtype").isHostFloat()) {
            throw new IllegalArgumentException("dtype: got " + dtype.label() + "; move it as elements of a batch");
        }
    }

    void requireFloats(MemorySegment floats) {
        if (Objects.requireNonNull(floats, "floats").byteSize() % 4 != 0) {
            throw new IllegalArgumentException("floats: expected a multiple of 4 bytes, got " + floats.byteSize());
        }
    }

    void requireWritable(MemorySegment destination) {
        if (Objects.requireNonNull(destination, "destination").isReadOnly()) {
            throw new IllegalArgumentException("destination: expected writable memory, got read-only");
        }
    }

    /** Memory of a caller must be within reach of this thread, and alive. */
    void requireAccess(MemorySegment memory) {
        if (!memory.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("memory: expected this thread's, got another's");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("memory: expected it alive, got it closed");
        }
    }

    void requireRange(long offset, long length) {
        long size = geometry.sizeBytes();
        if (offset < 0 || length < 0 || length > size || offset > size - length) {
            throw new IllegalArgumentException(
                    "range: expected one within " + size + " bytes, got offset " + offset + " and length " + length);
        }
    }

    void requireLength(NodeId id, BufferSlot slot, long bytes) {
        if (bytes < 0 || bytes > slot.size()) {
            throw new IllegalArgumentException(
                    plan.describe(id) + ": expected 0 to " + slot.size() + " bytes, got " + bytes);
        }
    }

    /** How many elements a write may change. */
    long capacity(NodeId id, BufferSlot slot, DType dtype) {
        return valueBytes(id, slot) / dtype.bytes();
    }

    /** How many elements a read may return. */
    long readable(NodeId id, BufferSlot slot, DType dtype) {
        return lengthOf(id, slot) / dtype.bytes();
    }

    long lengthOf(NodeId id, BufferSlot slot) {
        PlanValue value = plan.values().get(id);
        return lengths.getOrDefault(id, value == null ? slot.size() : value.bytes());
    }

    void storeLength(NodeId id, BufferSlot slot, long bytes) {
        lengths.put(id, bytes);
    }

    /** Puts bytes into the memory. */
    void put(long offset, MemorySegment source) {
        MemorySegment.copy(source, 0, memory, offset, source.byteSize());
    }

    /** Gets bytes out of the memory. */
    void get(long offset, MemorySegment destination) {
        MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
    }

    /** A raw write, checks done. */
    void writeRaw(long offset, MemorySegment source) {
        put(offset, source);
        if (shadow != null) {
            shadow.touched(offset, source.byteSize());
        }
    }

    /** A typed write, checks done. */
    void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
        MemorySegment encoded = MemorySegment.ofArray(new byte[Math.toIntExact(count * dtype.bytes())]);
        encode(dtype, source, encoded, count);
        put(slot.offset(), encoded);
        if (shadow != null) {
            shadow.wrote(id, slot, dtype, count);
        }
    }

    /** A typed read, checks done. */
    void readTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment encoded = call.allocate(count * dtype.bytes());
            get(slot.offset(), encoded);
            decode(dtype, encoded, destination, count);
        }
    }

    /** Host floats to the bytes of a type. */
    void encode(DType dtype, MemorySegment floats, MemorySegment encoded, long count) {
        TypedCasts.writeTypedFromF32(encoded, dtype, floats, count);
    }

    /** The bytes of a type to host floats. */
    void decode(DType dtype, MemorySegment encoded, MemorySegment floats, long count) {
        TypedCasts.readTypedToF32(encoded, dtype, floats.asSlice(0, count * 4));
    }

    /** How much of a region is read: elements or bytes. */
    long countOf(Batch.Region region) {
        return switch (region) {
            case Batch.Floats output ->
                Math.min(
                        output.memory().byteSize() / 4,
                        readable(output.node(), require(output.node()), output.dtype()));
            case Batch.Elements elements ->
                Math.min(
                        elements.memory().byteSize() / elements.dtype().bytes(),
                        readable(elements.node(), require(elements.node()), elements.dtype()));
            case Batch.Bytes bytes -> bytes.memory().byteSize();
        };
    }

    void readRegion(Batch.Region region, MemorySegment destination, long count) {
        switch (region) {
            case Batch.Floats output ->
                readTyped(output.node(), require(output.node()), output.dtype(), destination, count);
            case Batch.Elements elements ->
                readElements(
                        elements.node(),
                        elements.dtype(),
                        destination.asSlice(0, count * elements.dtype().bytes()));
            case Batch.Bytes bytes -> get(bytes.offset(), destination);
        }
    }

    long readRegions(List<Batch.Region> regions) {
        long total = 0;
        for (Batch.Region region : regions) {
            long count = countOf(region);
            readRegion(region, region.memory(), count);
            total += count;
        }
        return total;
    }

    void requireRegion(Batch.Region region) {
        switch (region) {
            case Batch.Floats output -> {
                require(output.node());
                requirePlanned(output.node(), output.dtype());
            }
            case Batch.Elements elements -> {
                require(elements.node());
                requirePlanned(elements.node(), elements.dtype());
            }
            case Batch.Bytes bytes ->
                requireRange(bytes.offset(), bytes.memory().byteSize());
        }
        requireWritable(region.memory());
        requireAccess(region.memory());
    }

    /** A write of elements, checks done. */
    void writeElements(NodeId id, DType dtype, MemorySegment source) {
        writeRaw(require(id).offset(), source);
    }

    /** A read of elements, checks done. */
    void readElements(NodeId id, DType dtype, MemorySegment destination) {
        get(require(id).offset(), destination);
    }

    void requireWrite(Batch.Region region) {
        switch (region) {
            case Batch.Floats floats -> {
                require(floats.node());
                requirePlanned(floats.node(), floats.dtype());
            }
            case Batch.Elements elements -> {
                BufferSlot slot = require(elements.node());
                requirePlanned(elements.node(), elements.dtype());
                requirePart(elements.node(), 0, elements.memory().byteSize(), valueBytes(elements.node(), slot));
            }
            case Batch.Bytes bytes ->
                requireRange(bytes.offset(), bytes.memory().byteSize());
        }
        requireAccess(region.memory());
    }

    void writeRegion(Batch.Region region, MemorySegment source) {
        switch (region) {
            case Batch.Floats floats -> {
                BufferSlot slot = require(floats.node());
                long count = Math.min(source.byteSize() / 4, capacity(floats.node(), slot, floats.dtype()));
                writeTyped(floats.node(), slot, floats.dtype(), source, count);
            }
            case Batch.Elements elements -> writeElements(elements.node(), elements.dtype(), source);
            case Batch.Bytes bytes -> writeRaw(bytes.offset(), source);
        }
    }

    void writeRegions(List<Batch.Region> regions) {
        regions.forEach(region -> writeRegion(region, region.memory()));
    }

    /** Keeps the weights open for as long as this arena. */
    DeviceArena hold(DeviceArena arena) {
        return arena.view(arena.plan());
    }

    void requireView(MemoryPlan other) {
        if (other.arenaSize() > geometry.planBytes()) {
            throw new IllegalArgumentException(
                    "view: expected a plan of at most " + geometry.planBytes() + " bytes, got " + other.arenaSize());
        }
        other.slots().forEach((id, slot) -> requireSegment(other.describe(id), slot));
    }

    void requireSegment(String value, BufferSlot slot) {
        SegmentLayout segments = geometry.segments();
        int first = segments.indexOf(slot.offset());
        boolean large = slot.size() > device.limits().maxSegmentBytes() && slot.offset() == segments.start(first);
        if (slot.end() > segments.end(first) && !large) {
            throw new IllegalArgumentException("view: expected values within a segment, got " + value + " at "
                    + slot.offset() + " across " + segments.end(first));
        }
    }

    ReferenceArena openView(MemoryPlan other) {
        return new ReferenceArena(this, other);
    }

    void requireShared(MemorySegment destination) {
        if (!destination.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
            throw new IllegalArgumentException("destination: expected shared memory, got confined");
        }
    }

    ReferenceRead begin(List<Batch.Region> regions) {
        return new ReferenceRead(this, regions);
    }

    <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
        if (device.capabilities().contains(Capability.HOST_MEMORY)) {
            return reader.apply(memory.asSlice(offset, length).asReadOnly());
        }
        try (Arena view = Arena.ofConfined()) {
            MemorySegment copy = view.allocate(Math.max(length, 1)).asSlice(0, length);
            get(offset, copy);
            return reader.apply(copy.asReadOnly());
        }
    }

    /** Called between the steps of an upload with progress. */
    void writePieces(long offset, MemorySegment source, LongConsumer progress) {
        for (long done = 0; done < source.byteSize(); ) {
            long piece = Math.min(PIECE, source.byteSize() - done);
            writeRaw(offset + done, source.asSlice(done, piece));
            done += piece;
            progress.accept(done);
        }
    }

    void flushed() {}

    // ---- host memory, deferred writes, fills and copies

    ReferenceHost host(long bytes) {
        return new ReferenceHost(bytes);
    }

    void endHosts() {
        hosts.forEach(ReferenceHost::close);
    }

    /** Whether memory begins where host memory of this arena does. */
    boolean isHost(MemorySegment memory) {
        return memory.isNative() && hosts.stream().anyMatch(host -> host.segment.address() == memory.address());
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        requireOpen();
        requirePositive(bytes);
        requireRoom(bytes);
        ReferenceHost made = host(bytes);
        hosts.add(made);
        if (!open) { // closed meanwhile
            made.close();
        }
        return made;
    }

    void requireRoom(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new ArenaOutOfMemoryException(
                    "host memory of " + bytes + " bytes: expected at most " + Integer.MAX_VALUE + "; allocate several");
        }
    }

    void requirePositive(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: expected 1 or more, got " + bytes);
        }
    }

    @Override
    public Transfer beginWrite(Batch batch) {
        requireOpen();
        batch.regions().forEach(this::requireWrite);
        return begun(batch.regions());
    }

    Transfer begun(List<Batch.Region> regions) {
        writeRegions(regions);
        return new ReferenceWrite(written(regions));
    }

    /** What a write returns: elements of typed regions, bytes of raw ones. */
    long written(List<Batch.Region> regions) {
        long count = 0;
        for (Batch.Region region : regions) {
            count += switch (region) {
                case Batch.Floats floats ->
                    Math.min(
                            floats.memory().byteSize() / 4,
                            capacity(floats.node(), require(floats.node()), floats.dtype()));
                case Batch.Elements elements ->
                    elements.memory().byteSize() / elements.dtype().bytes();
                case Batch.Bytes bytes -> bytes.memory().byteSize();
            };
        }
        return count;
    }

    /** A write that has ended. Threads: immutable. */
    static class ReferenceWrite implements Transfer {
        private final long count;

        ReferenceWrite(long count) {
            this.count = count;
        }

        @Override
        public State state() {
            return State.DONE;
        }

        @Override
        public long await() {
            return count;
        }

        @Override
        public boolean cancel() {
            return false;
        }

        @Override
        public CompletableFuture<Long> toCompletableFuture() {
            return CompletableFuture.completedFuture(count);
        }

        @Override
        public boolean await(Duration timeout) {
            if (timeout.isNegative()) {
                throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
            }
            return true;
        }
    }

    @Override
    public void fillBytes(long offset, long length, byte value) {
        requireOpen();
        requireRange(offset, length);
        fill(offset, length, value);
    }

    void fill(long offset, long length, byte value) {
        writeRaw(
                offset, MemorySegment.ofArray(new byte[Math.toIntExact(length)]).fill(value));
    }

    @Override
    public void copyBytes(long from, long to, long length) {
        requireOpen();
        requireRange(from, length);
        requireRange(to, length);
        copy(from, to, length);
    }

    void copy(long from, long to, long length) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        get(from, MemorySegment.ofArray(bytes));
        writeRaw(to, MemorySegment.ofArray(bytes));
    }

    // ---- what unwrap answers; null for nothing

    @Nullable MemorySegment hostMemory() {
        return device.capabilities().contains(Capability.HOST_MEMORY) ? memory : null;
    }

    @Nullable F16Shadow f16Shadow() {
        return shadow;
    }

    @Nullable ExecutionChecks checks() {
        return null;
    }

    Optional<DeviceArena> weights() {
        return Optional.ofNullable(weights);
    }

    void free() {
        use.end();
    }

    /** Turns off the log line of a dropped arena. */
    void keepSilent() {
        use.silent = true;
    }

    // ---- the interface

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
    public long scratchOffset() {
        requireOpen();
        return geometry.planBytes();
    }

    @Override
    public SegmentLayout segments() {
        requireOpen();
        return geometry.segments();
    }

    @Override
    public boolean hasBuffer(NodeId id) {
        requireOpen();
        return find(id) != null;
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        requireOpen();
        BufferSlot slot = find(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot.offset());
    }

    @Override
    public long lengthBytes(NodeId id) {
        requireOpen();
        BufferSlot slot = find(id);
        return slot == null ? 0 : lengthOf(id, slot);
    }

    @Override
    public void setActualLength(NodeId id, long bytes) {
        requireOpen();
        BufferSlot slot = require(id);
        requireLength(id, slot, bytes);
        storeLength(id, slot, bytes);
    }

    @Override
    public long writeInputF32(NodeId id, DType dtype, float[] data) {
        return writeInputF32(id, dtype, MemorySegment.ofArray(data));
    }

    @Override
    public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        requireFloats(data);
        requireType(dtype);
        requireOpen();
        BufferSlot slot = require(id);
        requirePlanned(id, dtype);
        requireAccess(data);
        long count = Math.min(data.byteSize() / 4, capacity(id, slot, dtype));
        writeTyped(id, slot, dtype, data, count);
        return count;
    }

    @Override
    public float[] readOutputF32(NodeId id, DType dtype, long elements) {
        requireType(dtype);
        requireOpen();
        BufferSlot slot = require(id);
        requirePlanned(id, dtype);
        if (elements < 0) {
            throw new IllegalArgumentException("elements: expected 0 or more, got " + elements);
        }
        float[] floats = new float[Math.toIntExact(Math.min(elements, readable(id, slot, dtype)))];
        readTyped(id, slot, dtype, MemorySegment.ofArray(floats), floats.length);
        return floats;
    }

    @Override
    public long readOutputF32(NodeId id, DType dtype, float[] destination) {
        return readOutputF32(id, dtype, MemorySegment.ofArray(destination));
    }

    @Override
    public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        requireFloats(destination);
        requireType(dtype);
        requireWritable(destination);
        requireOpen();
        BufferSlot slot = require(id);
        requirePlanned(id, dtype);
        requireAccess(destination);
        long count = Math.min(destination.byteSize() / 4, readable(id, slot, dtype));
        readTyped(id, slot, dtype, destination, count);
        return count;
    }

    @Override
    public long readBatch(Batch batch) {
        List<Batch.Region> regions = batch.regions();
        requireOpen();
        regions.forEach(this::requireRegion);
        return readRegions(regions);
    }

    /** Where a part of a value begins. */
    long offsetOfPart(NodeId id, long firstByte, long length) {
        requireOpen();
        BufferSlot slot = require(id);
        requirePart(id, firstByte, length, slot.size());
        return slot.offset() + firstByte;
    }

    @Override
    public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        writeBytes(offsetOfPart(id, firstByte, data.byteSize()), data);
    }

    @Override
    public void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
        readBytes(offsetOfPart(id, firstByte, destination.byteSize()), destination);
    }

    @Override
    public void writeBatch(Batch batch) {
        List<Batch.Region> regions = batch.regions();
        requireOpen();
        regions.forEach(this::requireWrite);
        writeRegions(regions);
    }

    @Override
    public DeviceArena view(MemoryPlan other) {
        requireOpen();
        requireView(other);
        return openView(other);
    }

    @Override
    public Transfer beginRead(Batch batch) {
        List<Batch.Region> regions = batch.regions();
        requireOpen();
        regions.forEach(this::requireRegion);
        regions.forEach(region -> requireShared(region.memory()));
        ReferenceRead read = begin(regions);
        synchronized (pending) {
            pending.removeIf(one -> !one.isPending());
            pending.add(read);
        }
        return read;
    }

    @Override
    public void writeBytes(long offset, MemorySegment source) {
        Objects.requireNonNull(source, "source");
        requireOpen();
        requireRange(offset, source.byteSize());
        requireAccess(source);
        writeRaw(offset, source);
    }

    @Override
    public void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(progress, "progress");
        requireOpen();
        requireRange(offset, source.byteSize());
        requireAccess(source);
        writePieces(offset, source, progress);
    }

    @Override
    public void readBytes(long offset, MemorySegment destination) {
        requireWritable(destination);
        requireOpen();
        requireRange(offset, destination.byteSize());
        requireAccess(destination);
        get(offset, destination);
    }

    @Override
    public <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader) {
        Objects.requireNonNull(reader, "reader");
        requireOpen();
        requireRange(offset, length);
        return withCopy(offset, length, reader);
    }

    @Override
    public void flush() {
        requireOpen();
        flushed();
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        Objects.requireNonNull(type, "type");
        requireOpen();
        Map<Class<?>, Supplier<@Nullable Object>> known = Map.of(
                MemorySegment.class, this::hostMemory,
                F16Shadow.class, this::f16Shadow,
                ExecutionChecks.class, this::checks,
                OpenArena.class, () -> new ReferenceOpen(this));
        return Optional.ofNullable(
                type.cast(known.getOrDefault(type, () -> null).get()));
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        endHosts();
        endPending();
        free();
        cleanable.clean();
        closed.complete(true);
    }

    void endPending() {
        synchronized (pending) {
            pending.forEach(ReferenceRead::arenaClosed);
            pending.clear();
        }
    }

    @Override
    public String toString() {
        return "reference arena" + (open ? "" : " (closed)");
    }
}
