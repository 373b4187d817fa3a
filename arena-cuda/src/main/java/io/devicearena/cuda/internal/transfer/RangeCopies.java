package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.cuda.internal.driver.Cuda;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies of ranges that one launch of {@code da_copy_ranges} makes: between memory of the device and page-locked
 * memory, with f16 mirrors or without. Held as the parameters of the launch.
 *
 * <p>Threads: one thread at a time.
 */
final class RangeCopies {
    static final int MAX = 32;

    /** Both ends of a copy lie at the same bytes within so many, so that the kernel moves as many at a time. */
    static final long UNIT = 16;

    private static final int MAX_BY_ENGINE = 2;

    private static final int THREADS = 256;
    private static final long BYTES_PER_BLOCK = 4096;
    private static final int MAX_BLOCKS = 1024;

    private static final long JOB_BYTES = 4 * Long.BYTES;
    private static final long OWN = MAX * JOB_BYTES;

    /** Bytes that a launch carries itself: the device need not read them over the bus. */
    private static final long OWN_BYTES = 1024;

    private static final long SIGNALS = OWN + OWN_BYTES;
    private static final long POINTERS = SIGNALS + Long.BYTES;
    private static final long CONFIG = POINTERS + Long.BYTES;
    private static final long WORDS = CONFIG + Cuda.LAUNCH_BYTES;

    /** The most blocks of a launch that signal their ends. */
    private static final int MAX_SIGNALS = 64;

    /** What the parameters and the signals take. */
    static final long BYTES = WORDS + MAX_SIGNALS * Integer.BYTES;

    /** How long a thread looks for signals before the driver waits for it: small copies take a fifth of that. */
    private static final long SPIN_NANOS = 50_000;

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private static final int TO = Long.BYTES;
    private static final int MIRROR = 2 * Long.BYTES;
    private static final int LENGTH = 3 * Long.BYTES;

    private static final MemorySegment ALL = AddressSpace.ALL;

    private final DeviceContext context;
    private final long host;
    private final long parameters;
    private final int[] shape = {0, 0, 1, THREADS, 1, 1};
    private int count;
    private long longest;
    /** How many of the launch's own bytes are taken. */
    private long own;
    /** The signals of the last launch, 0 for none. */
    private int signals;

    /** Makes those of a block of page-locked memory; the parameters lie behind its bytes. */
    RangeCopies(DeviceContext context, long host, long bytes) {
        this.context = context;
        this.host = host;
        this.parameters = host + bytes;
        set(POINTERS, parameters);
    }

    private void set(long at, long value) {
        ALL.set(ValueLayout.JAVA_LONG, parameters + at, value);
    }

    private long get(long at) {
        return ALL.get(ValueLayout.JAVA_LONG, parameters + at);
    }

    /** The next position for the host's end of a copy whose other end is at an address. */
    static long place(long position, long other) {
        return position + (other - position & UNIT - 1);
    }

    /** Whether a copy to a range can be made in the same launch: there is room, and no other copy writes there. */
    boolean fits(long to, long bytes) {
        boolean free = count < MAX;
        for (int i = 0; free && i < count; i++) {
            long begin = get(i * JOB_BYTES + TO);
            free = to + bytes <= begin || to >= begin + get(i * JOB_BYTES + LENGTH);
        }
        return free;
    }

    /** Finds room in the launch itself for the bytes of a copy that fits; returns the address, 0 if there is none. */
    long ownRoom(long to, long bytes) {
        long at = place(own, to);
        if (at + bytes > OWN_BYTES) {
            return 0;
        }
        own = at + bytes;
        return parameters + OWN + at;
    }

    /**
     * Adds a copy that fits; {@code to} or {@code mirror} may be 0 for none. A kernel makes one from own bytes. One
     * into the block that goes on where the last ends becomes a part of it: other memory may be two allocations.
     */
    void add(long from, long to, long mirror, long bytes) {
        long last = (count - 1) * JOB_BYTES;
        long length = count > 0 ? get(last + LENGTH) : 0;
        boolean isInBlock = to > host && to < parameters;
        if (length > 0 && isInBlock && to == get(last + TO) + length && from == get(last) + length) {
            set(last + LENGTH, length + bytes);
            longest = Math.max(longest, length + bytes);
            return;
        }
        long job = count++ * JOB_BYTES;
        long place = from - parameters - OWN;
        boolean isOwn = place >= 0 && place < OWN_BYTES;
        set(job, isOwn ? place : from);
        set(job + TO, to);
        set(job + MIRROR, mirror);
        set(job + LENGTH, bytes);
        longest = Math.max(longest, bytes);
    }

    /** How many copies the device makes. */
    int count() {
        return count;
    }

    /**
     * Adds a copy behind those that are in its way. A long one is made at once, by the copy engine, then its mirror.
     */
    void put(long from, long to, long mirror, long bytes, long stream) {
        if (bytes > Upload.MAX_BYTES) {
            launch(stream, false);
            Cuda.COPY.call(to, from, bytes, stream);
            if (mirror != 0) {
                add(to, 0, mirror, bytes);
                launch(stream, false);
            }
        } else {
            if (!fits(to, bytes)) {
                launch(stream, false);
            }
            add(from, to, mirror, bytes);
        }
    }

    /**
     * Makes the copies, if there are any: one or two plain ones by the copy engine, which begins sooner than a kernel.
     *
     * @param byKernel whether a kernel makes them in any case, for {@link #await}
     */
    void make(long stream, boolean byKernel) {
        boolean plain = get(MIRROR) == 0 && (count < 2 || get(JOB_BYTES + MIRROR) == 0);
        if (byKernel || count > MAX_BY_ENGINE || !plain) {
            launch(stream, byKernel);
            return;
        }
        int jobs = count;
        clear();
        context.noteWork(jobs > 1 || context.isBehindWork());
        for (long job = 0; job < jobs * JOB_BYTES; job += JOB_BYTES) {
            Cuda.COPY.call(get(job + TO), get(job), get(job + LENGTH), stream);
        }
    }

    /** Makes the copies in one launch, if there are any; one that is signalling for {@link #await}. */
    void launch(long stream, boolean signalling) {
        if (count > 0) {
            int jobs = count;
            long most = longest;
            clear();
            int blocks = Math.clamp((most + BYTES_PER_BLOCK - 1) / BYTES_PER_BLOCK, 1, MAX_BLOCKS);
            signals = signalling && blocks * jobs <= MAX_SIGNALS ? blocks * jobs : 0;
            set(SIGNALS, signals == 0 ? 0 : parameters + WORDS);
            expect();
            context.noteWork(true);
            long kernel = context.copyRanges();
            long pointers = parameters + POINTERS;
            shape[0] = blocks;
            shape[1] = jobs;
            Cuda.launch(parameters + CONFIG, kernel, shape, 0, stream, pointers, false);
        }
    }

    /** Clears the signals, before a graph with the last launch runs again. */
    void expect() {
        for (int i = 0; i < signals; i++) {
            ALL.set(ValueLayout.JAVA_INT, parameters + WORDS + i * (long) Integer.BYTES, 0);
        }
    }

    /**
     * Waits until the bytes of the last launch are there. The host sees the words of its blocks some us before the
     * driver ends a wait for the stream, which follows where there are none, or where they do not come soon: behind
     * long work, and once the device is lost.
     */
    void await() {
        long begin = System.nanoTime();
        boolean seen = signals > 0;
        for (int i = 0; seen && i < signals; ) {
            if ((int) WORD.getAcquire(ALL, parameters + WORDS + i * (long) Integer.BYTES) != 0) {
                i++;
            } else {
                Thread.onSpinWait();
                seen = System.nanoTime() - begin < SPIN_NANOS;
            }
        }
        if (seen) {
            context.noteWork(false);
        } else {
            context.synchronize();
        }
    }

    /** Forgets the copies, and the signals of the last launch. */
    void clear() {
        count = 0;
        longest = 0;
        own = 0;
        signals = 0;
    }
}
