package io.devicearena.weights;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceSelector;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.DeviceArenas;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Arenas that are filled once for each key and device of a process, such as the weights of a model file that several
 * executables use.
 *
 * <p><b>Threads:</b> safe for any thread; calls with one key wait for each other while the arena is filled.
 */
public final class SharedArenas {
    private static final Map<Key, SharedArenas> PROCESS = new ConcurrentHashMap<>();

    private record Key(String key, String provider, int device) {}

    /** What was handed out for one key. Weak references: an arena that a user dropped must be found dropped. */
    private final List<WeakReference<DeviceArena>> arenas = new ArrayList<>();

    private SharedArenas() {}

    /**
     * Opens an arena that is filled once.
     *
     * <p>The first call opens and fills it; other calls with the key wait for that and get a view of it. Its memory is
     * freed when all of them are closed; the next call fills it again.
     *
     * @param key names the content, for example the file and its digest; calls with one key pass equal plans
     * @param plan where the values live
     * @param options which provider and device, and label
     * @param fill writes the content; what it throws reaches the caller, and the key stays unused
     * @return an arena of the content, to be closed by the caller; pass it to {@link ArenaOptions#withWeights}
     * @throws io.devicearena.discovery.ProviderUnavailableException if the provider or device is not available
     * @throws IllegalArgumentException if the plan is larger than the device's limit, or not that of an earlier call
     *     with the key
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough free memory
     * @throws io.devicearena.DeviceException if the device fails
     * @throws UnsupportedOperationException if the options ask for checks and nothing on the path makes them
     */
    public static DeviceArena open(String key, MemoryPlan plan, ArenaOptions options, Consumer<DeviceArena> fill) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(fill, "fill");
        ArenaDevice device = DeviceArenas.choose(options);
        ArenaOptions chosen =
                options.withProvider(device.provider()).withDevice(new DeviceSelector.ByIndex(device.index()));
        return open(key, device, plan, () -> DeviceArenas.open(plan, chosen), fill);
    }

    static DeviceArena open(
            String key, ArenaDevice device, MemoryPlan plan, Supplier<DeviceArena> open, Consumer<DeviceArena> fill) {
        return PROCESS.computeIfAbsent(new Key(key, device.provider(), device.index()), _ -> new SharedArenas())
                .join(key, plan, open, fill);
    }

    private synchronized DeviceArena join(
            String key, MemoryPlan plan, Supplier<DeviceArena> open, Consumer<DeviceArena> fill) {
        DeviceArena joined = viewOfAnother(key, plan);
        if (joined == null) {
            joined = open.get();
            try {
                fill.accept(joined);
            } catch (RuntimeException | Error e) {
                joined.close();
                throw e;
            }
        }
        arenas.add(new WeakReference<>(joined));
        return joined;
    }

    private @Nullable DeviceArena viewOfAnother(String key, MemoryPlan plan) {
        arenas.removeIf(user -> !isOpen(user.get()));
        for (WeakReference<DeviceArena> user : arenas) {
            DeviceArena arena = user.get();
            DeviceArena view = arena == null ? null : viewOf(arena, key, plan);
            if (view != null) {
                return view;
            }
        }
        return null;
    }

    /** A view of an arena; null if it was closed meanwhile. */
    private static @Nullable DeviceArena viewOf(DeviceArena arena, String key, MemoryPlan plan) {
        try {
            requireEqual(key, plan, arena.plan());
            return arena.view(plan);
        } catch (IllegalStateException _) {
            return null;
        }
    }

    private static boolean isOpen(@Nullable DeviceArena arena) {
        return arena != null && arena.isOpen();
    }

    private static void requireEqual(String key, MemoryPlan plan, MemoryPlan earlier) {
        if (!plan.equals(earlier)) {
            throw new IllegalArgumentException("arena '" + key + "': expected the plan of the earlier call, " + earlier
                    + ", got another one, " + plan + "; use a key of its own for other content");
        }
    }
}
