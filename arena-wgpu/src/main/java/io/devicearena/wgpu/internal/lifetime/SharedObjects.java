package io.devicearena.wgpu.internal.lifetime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects by key: each is made for its first user, shared by all that ask for an equal key, and freed with its last
 * user. Threads that ask for one key at a time make it once, and do not hold up those that ask for another one.
 *
 * <p>Threads: safe for any thread.
 */
public final class SharedObjects<K, V> implements AutoCloseable {
    private final Map<K, Entry> entries = new HashMap<>();
    private final BiConsumer<K, V> free;
    private boolean closed;

    /**
     * Begins without objects.
     *
     * @param free frees an object; called outside of any lock of this class
     */
    public SharedObjects(BiConsumer<K, V> free) {
        this.free = free;
    }

    /** An object with its users; the first one is its owner. Its own lock is held while the object is made. */
    private final class Entry {
        final K key;
        final Uses uses = new Uses(this::free);

        @Nullable V object;

        Entry(K key) {
            this.key = key;
        }

        synchronized V object(Supplier<V> make) {
            V known = object;
            if (known == null) {
                known = make.get();
                object = known;
            }
            return known;
        }

        private synchronized @Nullable V made() {
            return object;
        }

        private void free() {
            synchronized (entries) {
                entries.remove(key, this);
            }
            V made = made();
            if (made != null) {
                free.accept(key, made);
            }
        }
    }

    /**
     * Returns the object of a key, for one more user; {@link #release} must follow.
     *
     * @param make makes the object if no user has it; what it throws ends this use
     */
    public V acquire(K key, Supplier<V> make) {
        Entry entry;
        synchronized (entries) {
            entry = entries.get(key);
            if (entry == null || !entry.uses.acquire()) { // an entry that is being freed is replaced
                entry = new Entry(key);
                entries.put(key, entry);
            }
        }
        try {
            return entry.object(make);
        } catch (RuntimeException | Error e) {
            entry.uses.release();
            throw e;
        }
    }

    /** Ends the use of an object by one user; does nothing once this is closed. */
    public void release(K key) {
        Entry entry;
        synchronized (entries) {
            entry = entries.get(key);
            if (closed) {
                return;
            }
        }
        if (entry == null) {
            throw new AssertionError("an object was released twice");
        }
        entry.uses.release();
    }

    /** The number of objects, those that are being made included. */
    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    /** Frees all objects, whatever their users; nothing may use them then. A second call does nothing. */
    @Override
    public void close() {
        List<Entry> all;
        synchronized (entries) {
            closed = true;
            all = List.copyOf(entries.values());
        }
        all.forEach(Entry::free);
    }
}
