package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The arenas that are filled once for each key and device. Each lives until all its users have closed it.
 *
 * <p>Threads: safe for any thread; calls with one key wait for each other while the arena is filled.
 */
final class FilledArenas {
    static final FilledArenas PROCESS = new FilledArenas();

    private record Key(String key, String provider, int device) {}

    private final Map<Key, Users> users = new ConcurrentHashMap<>();

    /** What was handed out for one key. Weak references: an arena that a user dropped must be found dropped. */
    private static final class Users {
        private final List<WeakReference<DeviceArena>> arenas = new ArrayList<>();

        synchronized DeviceArena join(
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
                DeviceArena view = view(user.get(), key, plan);
                if (view != null) {
                    return view;
                }
            }
            return null;
        }

        private static @Nullable DeviceArena view(@Nullable DeviceArena arena, String key, MemoryPlan plan) {
            try {
                if (arena != null) {
                    requireEqual(key, plan, arena.plan());
                    return arena.view(plan);
                }
            } catch (IllegalStateException e) {
                return null; // closed meanwhile
            }
            return null;
        }

        private static boolean isOpen(@Nullable DeviceArena arena) {
            return arena != null && arena.isOpen();
        }

        private static void requireEqual(String key, MemoryPlan plan, MemoryPlan earlier) {
            if (!plan.equals(earlier)) {
                throw new IllegalArgumentException("arena '" + key + "': expected the plan of the earlier call, "
                        + earlier + ", got another one, " + plan + "; use a key of its own for other content");
            }
        }
    }

    DeviceArena join(
            String key, ArenaDevice device, MemoryPlan plan, Supplier<DeviceArena> open, Consumer<DeviceArena> fill) {
        return users.computeIfAbsent(new Key(key, device.provider(), device.index()), _ -> new Users())
                .join(key, plan, open, fill);
    }
}
