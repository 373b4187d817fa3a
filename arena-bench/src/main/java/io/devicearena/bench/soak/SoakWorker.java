package io.devicearena.bench.soak;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceLostException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;

/**
 * One thread of the run: an arena after another, until the time is over.
 *
 * @param losing steps hold the lock for reading, a loss holds it for writing: see {@link LosableDevice#lose}
 */
record SoakWorker(
        SplittableRandom random,
        List<ArenaDevice> devices,
        long mostBytes,
        SoakCounts counts,
        ReadWriteLock losing,
        BooleanSupplier isOver)
        implements Runnable {
    private static final int MOST_STEPS = 60;

    /** One arena of so many makes its device lost. */
    private static final int ARENAS_PER_LOSS = 200;

    @Override
    public void run() {
        while (!isOver.getAsBoolean()) {
            long lossesBefore = counts.losses.sum();
            try {
                useOne();
            } catch (DeviceLostException e) {
                if (counts.losses.sum() == lossesBefore) {
                    counts.fault(e); // the device was not lost by a thread of ours
                }
            } catch (ArenaOutOfMemoryException e) {
                // several threads may ask for more than the device has; the next arena is smaller or later
            } catch (RuntimeException | AssertionError e) {
                counts.fault(e);
            }
        }
    }

    private void useOne() {
        ArenaDevice device = devices.get(random.nextInt(devices.size()));
        try (SoakArena checked = open(device)) {
            counts.arenas.increment();
            int steps = random.nextInt(1, MOST_STEPS);
            for (int i = 0; i < steps && !isOver.getAsBoolean(); i++) {
                held(losing.readLock(), checked::step);
                counts.steps.increment();
            }
            held(losing.readLock(), checked::verify);
            counts.movedBytes.add(checked.movedBytes());
            if (random.nextInt(ARENAS_PER_LOSS) == 0 && LosableDevice.canLose(checked.arena())) {
                held(losing.writeLock(), () -> {
                    counts.losses.increment();
                    LosableDevice.lose(checked.arena());
                });
            }
        }
    }

    private SoakArena open(ArenaDevice device) {
        losing.readLock().lock();
        try {
            return SoakArena.open(random, device, mostBytes);
        } finally {
            losing.readLock().unlock();
        }
    }

    private static void held(Lock lock, Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
