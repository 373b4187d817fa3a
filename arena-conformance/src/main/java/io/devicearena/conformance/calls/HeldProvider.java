package io.devicearena.conformance.calls;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * A provider that puts a backend of the kit between an arena and the tested backend. It counts how often the memory is
 * freed, and holds calls open there until a close has begun, so that the close meets each of them.
 */
public final class HeldProvider implements DeviceArenaProvider {
    /** A second writer that is not here by then is kept out; a close that still runs by then polls. */
    private static final int MOST_YIELDS = 1000;

    /** Hooks that no call waits in. */
    private static final Set<String> NOT_HELD = Set.of("unwrap", "figures", "close", "toString", "hashCode", "equals");

    private final DeviceArenaProvider tested;
    private final AtomicInteger frees = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private volatile @Nullable DeviceArena closing;
    private volatile Thread closer = Thread.currentThread();
    private volatile boolean inPairs;

    public HeldProvider(DeviceArenaProvider tested) {
        this.tested = tested;
    }

    /** Opens an arena with the kit behind it, where that can stand there. */
    @Override
    public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return isBehindTheArena()
                ? DeviceArenaProvider.super.openArena(device, plan, options)
                : tested.openArena(device, plan, options);
    }

    /** Whether the kit can stand behind the arena: not where the provider makes the whole arena itself. */
    public boolean isBehindTheArena() {
        try {
            return tested.getClass()
                    .getMethod("openArena", ArenaDevice.class, MemoryPlan.class, ArenaOptions.class)
                    .getDeclaringClass()
                    .equals(DeviceArenaProvider.class);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("openArena: expected it in every provider, got " + e, e);
        }
    }

    /** How often the memory was freed. */
    public int frees() {
        return frees.get();
    }

    /** How many calls have been held. */
    public int held() {
        return held.get();
    }

    /** Holds every call from now on until the calling thread closes an arena, and waits in the close. */
    public void holdUntilClosed(DeviceArena arena) {
        closer = Thread.currentThread();
        closing = arena;
    }

    /** Lets writes come to the backend in pairs from now on, where the arena admits two at once. */
    public void pairWrites() {
        inPairs = true;
    }

    /** Stops the first of two writers until the second is here, or for a while. */
    @SuppressWarnings("ThreadPriorityCheck") // the other writer needs the core
    private void pair() {
        int place = writers.incrementAndGet();
        if (place % 2 == 1) {
            for (int i = 0; i < MOST_YIELDS && writers.get() == place; i++) {
                Thread.yield();
            }
            writers.compareAndSet(place, place - 1); // alone
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the closer needs the core
    private void hold() {
        DeviceArena arena = closing;
        if (arena != null && arena.isOpen()) {
            held.incrementAndGet();
            Polls.until(() -> !arena.isOpen());
            Set<Thread.State> waits = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
            for (int i = 0; i < MOST_YIELDS && frees.get() == 0 && !waits.contains(closer.getState()); i++) {
                Thread.yield();
            }
            if (frees.get() > 0) {
                throw new AssertionFailedError("memory under a call: expected the close to wait, got it freed");
            }
        }
    }

    @Override
    public int spiVersion() {
        return tested.spiVersion();
    }

    @Override
    public String name() {
        return tested.name();
    }

    @Override
    public Availability probe() {
        return tested.probe();
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        ArenaBackend backend = tested.open(device, plan, options);
        return (ArenaBackend) Proxy.newProxyInstance(
                ArenaBackend.class.getClassLoader(), new Class<?>[] {ArenaBackend.class}, (proxy, hook, arguments) -> {
                    if (!NOT_HELD.contains(hook.getName())) {
                        hold();
                    }
                    if (inPairs && hook.getName().startsWith("write")) {
                        pair();
                    }
                    try {
                        return hook.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (hook.getName().equals("close")) {
                            frees.incrementAndGet();
                        }
                    }
                });
    }
}
