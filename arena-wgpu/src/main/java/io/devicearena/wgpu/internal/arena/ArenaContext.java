package io.devicearena.wgpu.internal.arena;

import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.NodeId;
import io.devicearena.spi.ArenaF16Shadow;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One arena or view on a memory, as its kernels, its programs and its shadow use it. It keeps the arena reachable.
 *
 * <p>Threads: safe for any thread.
 */
public final class ArenaContext {
    private final OpenArena open;
    private final WgpuBackend backend;
    /** The arena whose weights this one uses; null for none. */
    private final @Nullable ArenaContext weights;

    ArenaContext(OpenArena open, WgpuBackend backend) {
        this.open = open;
        this.backend = backend;
        this.weights = open.weightsInFront()
                .flatMap(used -> used.arena().unwrap(ArenaContext.class))
                .orElse(null);
    }

    /** The arena itself. */
    public OpenArena open() {
        return open;
    }

    /** Its memory. */
    public WgpuBackend backend() {
        return backend;
    }

    /** Begins a call; {@link #leave} must follow. Throws if the arena is closed. */
    public void enter() {
        open.requireOpen();
        open.memory().enter();
    }

    /** Ends a call. */
    public void leave() {
        open.memory().leave();
    }

    /** What checks the execution, or null for an arena without. */
    public @Nullable ExecutionChecks checks() {
        return open.checks().orElse(null);
    }

    /** A value as messages write it. */
    public String describe(NodeId id) {
        return open.arena().plan().describe(id);
    }

    /** Where values are: this arena, or its weights if all of them are there and none is here. */
    public ArenaContext home(List<NodeId> nodes) {
        if (weights == null || nodes.stream().anyMatch(open.arena()::hasBuffer)) {
            return this;
        }
        return nodes.stream().allMatch(weights.open.arena()::hasBuffer) ? weights : this;
    }

    /** Whether kernels of this arena can be bound to what an owner made. */
    public boolean binds(KernelCache owner) {
        return owner == backend.kernels() || isOfWeights(owner);
    }

    /** Whether an owner is that of the weights, which kernels of this arena only read. */
    public boolean isOfWeights(KernelCache owner) {
        return owner != backend.kernels() && weights != null && weights.backend.kernels() == owner;
    }

    /** Throws if the arena has no f16 shadow. */
    public void requireShadow() {
        if (backend.mirrors().shadowBytes() == 0) {
            throw new UnsupportedOperationException(Capability.F16_SHADOW + ": expected an arena with a shadow, got '"
                    + backend.kernels().label() + "' without; open it with another F16ShadowMode, on a device with that"
                    + " capability");
        }
    }

    /** The slot of a value with a mirror; throws if it has none. */
    public BufferSlot mirrored(NodeId id) {
        return ArenaF16Shadow.requireMirror(open, backend.mirrors(), id);
    }
}
