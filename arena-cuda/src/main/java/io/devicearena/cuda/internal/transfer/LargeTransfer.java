package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Moves long memory of the caller through page-locked pieces, with several threads. The device casts f16 and bf16,
 * since it does so faster than the bus brings floats.
 *
 * <p>Up to some MiB the caller alone calls the driver, whose lock threads would wait for, and the others copy slices of
 * a piece. Of longer memory each worker of the team fills one piece of its own while the device copies its other one.
 *
 * <p>Every piece has an event behind its last use, so that nothing waits for more than that piece. What a piece is cast
 * from is memory of the device, which the order of the stream guards.
 *
 * <p>Threads: safe for any thread; one transfer at a time, which the bus limits anyway.
 */
final class LargeTransfer implements CopyTeam.Job {
    /** A piece of memory: long enough that the copy engine runs at its full speed. */
    private static final long PIECE_BYTES = 2L << 20;

    /** The shortest piece of a transfer of which the caller does the calls. */
    private static final long MIN_PIECE_BYTES = 256L << 10;

    /** The longest transfer of which the caller does the calls. */
    private static final long MAX_SHARED_BYTES = 4L << 20;

    private static final int SHARED_PIECES = 4;
    private static final long MIN_SLICE_BYTES = 32L << 10;
    private static final int PIECES_OF_WORKER = 2;

    /** The unit of pieces in elements, so that they begin at cache lines: the smallest element is a byte. */
    private static final long LINE_ELEMENTS = 64;

    private final DeviceContext context;
    private final PinnedPool pool;
    private final StreamKernels kernels;
    private final CopyTeam team = new CopyTeam();
    private final ReentrantLock lock = new ReentrantLock();
    private final HostView view = new HostView();
    private final @Nullable PinnedBlock[] pieces =
            new PinnedBlock[Math.max(SHARED_PIECES, PIECES_OF_WORKER * team.size())];
    /** Memory of the device, as much as all pieces, for casts; 0 until it is needed. */
    private long floats;

    private boolean upload;
    private long device;
    private int width;
    /** The kernel that casts, 0 for none. */
    private long cast;

    /** What the team works on: elements from {@link #next} to this. */
    private long elements;

    private final AtomicLong next = new AtomicLong();
    /** How many of them a worker takes at a time. */
    private long each;
    /** Whether that is a slice, copied from or to one piece; else each worker has pieces of its own. */
    private boolean isSliced;
    /** Where the first element of all would be, if it were in the piece that slices are copied from or to. */
    private long origin;

    LargeTransfer(DeviceContext context, PinnedPool pool, StreamKernels kernels) {
        this.context = context;
        this.pool = pool;
        this.kernels = kernels;
    }

    /** Writes elements to memory of the device; the caller's memory is free when this returns. */
    void write(long to, MemorySegment memory, float @Nullable [] array, @Nullable DType dtype, long count) {
        run(true, to, memory, array, dtype, count);
    }

    /** Reads elements from memory of the device, and waits for them. */
    void read(long from, MemorySegment memory, float @Nullable [] array, @Nullable DType dtype, long count) {
        run(false, from, memory, array, dtype, count);
    }

    private void run(
            boolean up, long at, MemorySegment memory, float @Nullable [] array, @Nullable DType dtype, long count) {
        lock.lock();
        try {
            context.enter();
            view.set(memory, array, dtype);
            upload = up;
            device = at;
            width = view.bytes();
            cast = width == Short.BYTES ? context.kernel(kernelName(up, dtype)) : 0;
            if (cast != 0) {
                view.setUncast();
                if (floats == 0) {
                    floats = Cuda.allocate(pieces.length * PIECE_BYTES);
                }
            }
            if (count * view.bytes() <= MAX_SHARED_BYTES) {
                share(count);
            } else {
                isSliced = false;
                each = lines(Math.min(count / team.size(), PIECE_BYTES / view.bytes()));
                elements = count;
                next.set(0);
                team.run(this, team.size());
            }
        } catch (RuntimeException | Error e) {
            boolean _ = context.settle(); // a piece whose event was not set may be in use
            throw e;
        } finally {
            view.clear();
            lock.unlock();
        }
    }

    private static String kernelName(boolean up, @Nullable DType dtype) {
        String narrow = dtype == DType.F16 ? "f16" : "bf16";
        return up ? "da_f32_to_" + narrow : "da_" + narrow + "_to_f32";
    }

    /** Copies between page-locked memory and the memory of a caller. */
    void copy(boolean up, long address, HostView host, long count) {
        lock.lock();
        try {
            view.setAs(host);
            upload = up;
            slices(address, 0, count);
        } finally {
            view.clear();
            lock.unlock();
        }
    }

    /** Moves everything through a few pieces, of which the team copies slices. */
    private void share(long count) {
        long part =
                lines(Math.max((count - 1) / SHARED_PIECES + 1, MIN_PIECE_BYTES / view.bytes()) + LINE_ELEMENTS - 1);
        int index = 0;
        for (long first = 0; first < count; first += part, index++) {
            long some = Math.min(part, count - first);
            if (upload) {
                PinnedBlock piece = free(index);
                slices(piece.host, first, some);
                send(piece, index, first, some);
            } else {
                fetch(index, first, some);
            }
        }
        for (int i = 0; i < index && !upload; i++) {
            PinnedBlock piece = piece(i);
            Cuda.await(piece.event);
            slices(piece.host, i * part, Math.min(part, count - i * part));
        }
    }

    private static long lines(long count) {
        return Math.max(count & -LINE_ELEMENTS, LINE_ELEMENTS);
    }

    /** Lets the team copy elements from or to an address. */
    private void slices(long at, long first, long count) {
        origin = at - first * view.bytes();
        isSliced = true;
        each = lines(Math.max(count / team.size() + LINE_ELEMENTS - 1, MIN_SLICE_BYTES / view.bytes()));
        elements = first + count;
        next.set(first);
        team.run(this, (int) Math.min(team.size(), (count + each - 1) / each));
    }

    @Override
    public void work(int worker) {
        if (isSliced) {
            for (long first = claim(); first >= 0; first = claim()) {
                long at = origin + first * view.bytes();
                if (upload) {
                    view.copyTo(at, first, size(first));
                } else {
                    view.copyFrom(at, first, size(first));
                }
            }
            return;
        }
        context.enter();
        if (upload) {
            up(worker);
        } else {
            down(worker);
        }
    }

    @Override
    public void stop() {
        next.set(Long.MAX_VALUE);
    }

    /** Takes the next elements; returns the first of them, or -1 if there are none. */
    private long claim() {
        while (true) {
            long first = next.get();
            if (first >= elements) {
                return -1;
            }
            if (next.compareAndSet(first, first + size(first))) {
                return first;
            }
        }
    }

    /** The number of elements that are taken from one on. */
    private long size(long first) {
        return Math.min(each, elements - first);
    }

    private PinnedBlock piece(int index) {
        PinnedBlock piece = pieces[index];
        if (piece == null) {
            piece = pool.acquire(PIECE_BYTES);
            pieces[index] = piece;
        }
        return piece;
    }

    /** A piece that the device has finished with. */
    private PinnedBlock free(int index) {
        PinnedBlock piece = piece(index);
        Cuda.await(piece.event);
        return piece;
    }

    private void up(int worker) {
        int index = PIECES_OF_WORKER * worker;
        for (long first = claim(); first >= 0; first = claim()) {
            PinnedBlock piece = free(index);
            long count = size(first);
            view.copyTo(piece.host, first, count);
            send(piece, index, first, count);
            index ^= 1;
        }
    }

    private void down(int worker) {
        int index = PIECES_OF_WORKER * worker;
        long before = -1;
        for (long first = claim(); first >= 0 || before >= 0; first = first < 0 ? first : claim()) {
            if (first >= 0) {
                fetch(index, first, size(first));
            }
            index ^= 1;
            if (before >= 0) {
                PinnedBlock piece = piece(index);
                Cuda.await(piece.event);
                view.copyFrom(piece.host, before, size(before));
            }
            before = first;
        }
    }

    /** Begins the copy of a piece to the device. */
    private void send(PinnedBlock piece, int index, long first, long count) {
        long to = device + first * width;
        if (cast == 0) {
            Cuda.copyToDevice(to, piece.host, count * width, context.stream());
        } else {
            long uncast = floats + index * PIECE_BYTES;
            Cuda.copyToDevice(uncast, piece.host, count * Float.BYTES, context.stream());
            kernels.cast(cast, uncast, to, count, context.stream(), piece.parameters());
        }
        Cuda.record(piece.event, context.stream());
    }

    /** Begins the copy of a piece from the device. */
    private void fetch(int index, long first, long count) {
        PinnedBlock piece = free(index); // of a write before this read
        long from = device + first * width;
        if (cast == 0) {
            Cuda.copyToHost(piece.host, from, count * width, context.stream());
        } else {
            long uncast = floats + index * PIECE_BYTES;
            kernels.cast(cast, from, uncast, count, context.stream(), piece.parameters());
            Cuda.copyToHost(piece.host, uncast, count * Float.BYTES, context.stream());
        }
        Cuda.record(piece.event, context.stream());
    }

    /** The memory of the device for casts, for reports. */
    long deviceBytes() {
        return floats == 0 ? 0 : pieces.length * PIECE_BYTES;
    }

    /** Frees the pieces of a context that is alive and idle. */
    void close(boolean alive) {
        team.close();
        if (alive) {
            for (PinnedBlock piece : pieces) {
                if (piece != null) {
                    piece.free();
                }
            }
            if (floats != 0) {
                Cuda.free(floats);
            }
        }
    }
}
