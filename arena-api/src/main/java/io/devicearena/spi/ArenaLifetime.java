package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.checks.CheckedMemory;
import io.devicearena.checks.ExecutionChecks;
import io.devicearena.internal.recording.ArenaCloseEvent;
import io.devicearena.internal.recording.ArenaIdentity;
import io.devicearena.internal.recording.ArenaRecorder;
import io.devicearena.internal.tracking.LeakDetection;
import io.devicearena.internal.tracking.OpenMemories;
import io.devicearena.internal.tracking.OpenMemory;
import io.devicearena.internal.tracking.OpeningPlace;
import io.devicearena.internal.tracking.OpeningPlaces;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.MemoryFigures;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What an arena is, and how long: device, plan, sizes, actual lengths, views and close.
 *
 * <p>Threads: safe for any thread.
 */
abstract class ArenaLifetime extends ArenaHooks {
    private static final System.Logger LOG = System.getLogger("io.devicearena");
    private static final Cleaner CLEANER = Cleaner.create();
    private static final OpeningPlaces PLACES = new OpeningPlaces();

    /** Made once: to derive the name takes longer than to open a small arena. */
    private static final String LEAKS_VARIABLE = Settings.variableOf(LeakDetection.PROPERTY);

    /** Their methods open arenas on behalf of a caller. */
    private static final List<Class<?>> BACKEND = List.of(DeviceArena.class, DeviceArenaProvider.class);

    /** What events and log lines say of the arena. */
    final ArenaIdentity identity;

    private final ArenaDevice device;
    private final MemoryPlan plan;
    private final ArenaOptions options;
    /** The weights of another arena, held open; null for none. */
    private final @Nullable DeviceArena weights;

    private final SharedMemory memory;
    /** What keeps the memory while calls of any arena use it, or null if the backend does. */
    private final @Nullable GuardedMemory guard;
    /** What keeps host memory and device memory of this arena while its own calls use them, or null as above. */
    private final @Nullable GuardedMemory own;

    /** What {@code allocateHost} returned; freed with this arena. */
    final HostMemories hostMemories;

    private final MemoryRelease release;
    private final Cleaner.Cleanable cleanable;
    /** What checks the execution; null for an arena without checks. */
    final @Nullable ExecutionChecks checks;

    private volatile boolean open = true;

    @SuppressWarnings("this-escape") // the cleaner keeps a phantom reference and calls nothing of this object
    ArenaLifetime(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        super(Objects.requireNonNull(plan, "plan"), options, Objects.requireNonNull(geometry, "geometry"));
        this.device = Objects.requireNonNull(device, "device");
        this.plan = plan;
        this.options = options;
        this.identity = new ArenaIdentity(
                options.label(),
                device,
                geometry.sizeBytes(),
                geometry.segments().count(),
                memory instanceof SharedMemory.Use);
        DeviceArena held = held(options, Objects.requireNonNull(memory, "memory"));
        this.weights = held;
        CheckedMemory checked = checked(options, geometry, memory);
        this.guard = guard(memory);
        long number = identity.view() ? 0 : OpenMemories.newNumber();
        SharedMemory shared = new SharedMemory(
                () -> {
                    memory.run();
                    OpenMemories.remove(number);
                    if (held != null) {
                        held.close();
                    }
                },
                checked,
                guard);
        this.memory = shared;
        this.checks = checked == null
                ? null
                : new ExecutionChecks(
                        new HookedArena(this),
                        plan,
                        checked,
                        held instanceof ArenaLifetime weightsArena ? weightsArena.checks() : Optional.empty(),
                        !options.reinterpretation());
        HostMemories host = new HostMemories();
        this.hostMemories = host;
        Runnable use = this.memory.use();
        Runnable end = () -> {
            host.close(); // a device may need its own memory for that
            use.run();
        };
        this.own = guard == null ? null : new GuardedMemory(end);
        OpeningPlace place = PLACES.next(leakDetection(), BACKEND);
        this.release = new MemoryRelease(own == null ? end : own, identity, place);
        this.cleanable = CLEANER.register(this, release);
        if (!identity.view()) {
            OpenMemories.add(
                    number,
                    new OpenMemory(
                            identity,
                            guard == null ? MemoryFigures.NONE : guard.figures(),
                            shared::uses,
                            System.nanoTime(),
                            place));
        }
        ArenaRecorder.opened(identity);
        LOG.log(System.Logger.Level.DEBUG, () -> identity.text() + " was opened");
    }

    /** Opens a view of the weights, so that they live as long as this arena; frees the memory if that fails. */
    private static @Nullable DeviceArena held(ArenaOptions options, Runnable memory) {
        try {
            return options.weights()
                    .map(weights -> weights.view(weights.plan()))
                    .orElse(null);
        } catch (RuntimeException | Error e) {
            memory.run();
            throw e;
        }
    }

    /** What is known of the bytes of the memory: that of the arena for a view, null without checks. */
    private static @Nullable CheckedMemory checked(ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        if (memory instanceof SharedMemory.Use use) {
            return use.checked();
        }
        return options.checks() ? new CheckedMemory(geometry.planBytes()) : null;
    }

    /**
     * For which arenas the place of opening is recorded, as the setting says.
     *
     * @throws IllegalArgumentException if it names no level
     */
    static LeakDetection leakDetection() {
        Settings settings = Settings.ofProcess();
        return settings.property(LeakDetection.PROPERTY)
                .map(level -> LeakDetection.of("property " + LeakDetection.PROPERTY, level))
                .or(() -> settings.variable(LEAKS_VARIABLE)
                        .map(level -> LeakDetection.of("variable " + LEAKS_VARIABLE, level)))
                .orElse(LeakDetection.OFF);
    }

    private static @Nullable GuardedMemory guard(Runnable memory) {
        return switch (memory) {
            case SharedMemory.Use use -> use.guard();
            case GuardedMemory guarded -> guarded;
            default -> null;
        };
    }

    @Override
    final void enter() {
        enter(own);
    }

    @Override
    final void leave() {
        leave(own);
    }

    @Override
    final void enterMemory() {
        enter(guard);
    }

    @Override
    final void leaveMemory() {
        leave(guard);
    }

    private void enter(@Nullable GuardedMemory guarded) {
        if (guarded != null && !guarded.tryEnter()) {
            throw closed(null);
        }
    }

    private void leave(@Nullable GuardedMemory guarded) {
        try {
            if (guarded != null) {
                guarded.leave();
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns what checks the execution, for a backend that runs programs of its own.
     *
     * @return the checks, or empty for an arena without
     */
    protected final Optional<ExecutionChecks> checks() {
        return Optional.ofNullable(checks);
    }

    /** Prepares the checks, for a backend that is about to pass its memory to the caller. */
    protected final void beginChecks() {
        if (checks != null) {
            checks.begin();
        }
    }

    @Override
    public final boolean isChecked() {
        requireOpen();
        return checks != null;
    }

    @Override
    public final ArenaDevice device() {
        requireOpen();
        return device;
    }

    @Override
    public final MemoryPlan plan() {
        requireOpen();
        return plan;
    }

    @Override
    public final long sizeBytes() {
        requireOpen();
        return geometry.sizeBytes();
    }

    @Override
    public final SegmentLayout segments() {
        requireOpen();
        return geometry.segments();
    }

    @Override
    public final long scratchOffset() {
        requireOpen();
        return geometry.planBytes();
    }

    @Override
    public final long scratchBytes() {
        requireOpen();
        return geometry.scratchBytes();
    }

    @Override
    public final boolean hasBuffer(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        return slots.find(id) != null;
    }

    @Override
    public final OptionalLong byteOffset(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot.offset);
    }

    @Override
    public final long lengthBytes(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? 0 : slot.length;
    }

    @Override
    public final void setActualLength(NodeId id, long bytes) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.require(id);
        if (bytes < 0 || bytes > slot.capacity) {
            throw new IllegalArgumentException(
                    slots.describe(id) + ": expected an actual length of 0 to " + slot.capacity
                            + " bytes, what its slot holds, got " + bytes + "; plan the value with more elements");
        }
        slots.setLength(slot, bytes);
    }

    @Override
    public final Optional<DeviceArena> weights() {
        requireOpen();
        return Optional.ofNullable(weights);
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
        Runnable end = use();
        try {
            ArenaOptions own = weights == null ? options : options.withWeights(weights);
            return openView(other, own, geometry, end);
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
    }

    /** Begins a use of the memory, unless another thread has closed the last arena of it since the check. */
    private Runnable use() {
        try {
            return memory.use();
        } catch (IllegalStateException e) {
            throw closedOr(e);
        }
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
    public final boolean isOpen() {
        return open;
    }

    @Override
    public final void close() {
        open = false;
        ArenaCloseEvent event = ArenaRecorder.beginClose();
        try {
            if (release.close()) {
                ArenaRecorder.endClose(event, identity);
                LOG.log(System.Logger.Level.DEBUG, () -> identity.text() + " was closed");
            }
            cleanable.clean(); // not before: after a release that threw, the next close or the cleaner tries again
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final String toString() {
        return identity.text() + (open ? "" : " (closed)");
    }

    final void requireOpen() {
        if (!open) {
            throw closed(null);
        }
    }

    final IllegalStateException closedOr(IllegalStateException thrown) {
        return open ? thrown : closed(thrown);
    }

    private IllegalStateException closed(@Nullable IllegalStateException cause) {
        return new IllegalStateException("device arena '" + identity.label() + "' is closed; open a new one", cause);
    }
}
