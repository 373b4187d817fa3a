package io.devicearena.weights;

import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.DeviceKind;
import io.devicearena.weights.internal.loading.Assignment;
import io.devicearena.weights.internal.loading.Conversion;
import io.devicearena.weights.internal.loading.Piece;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** One run of a loader: first the tensors that go as they are, then those that are converted. */
final class LoadRun {
    /** The longest piece that a checksum is made of at once, and that is read back. */
    private static final int PIECE = 16 << 20;

    private final WeightSource file;
    private final DeviceArena arena;
    private final List<Assignment> assignments;
    private final Consumer<LoadProgress> listener;
    private final BooleanSupplier cancelled;
    private final int readers;
    private final long totalBytes;
    private final long begin = System.nanoTime();
    private long bytes;

    LoadRun(
            WeightSource file,
            DeviceArena arena,
            List<Assignment> assignments,
            Consumer<LoadProgress> listener,
            BooleanSupplier cancelled,
            int readers) {
        this.file = file;
        this.arena = arena;
        this.assignments = assignments;
        this.listener = listener;
        this.cancelled = cancelled;
        this.readers = readers;
        this.totalBytes =
                assignments.stream().mapToLong(a -> a.tensor().bytes()).sum();
    }

    /** Returns the bytes of all tensors. */
    long totalBytes() {
        return totalBytes;
    }

    /** Returns the seconds since the run was made. */
    double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Writes all tensors; returns their checksums if they are asked for. */
    Map<String, Long> write(boolean checksums) {
        Map<String, Long> sums = new LinkedHashMap<>();
        List<Assignment> copied =
                assignments.stream().filter(a -> a.converted().isEmpty()).toList();
        stream(copied);
        if (checksums) {
            copied.forEach(assignment -> sums.put(assignment.tensor().name(), checksum(assignment.tensor())));
        }
        try (Conversion conversion = new Conversion()) {
            for (Assignment assignment : assignments) {
                assignment.converted().ifPresent(wanted -> {
                    CRC32C sum = new CRC32C();
                    reading(assignment.tensor(), () -> convert(assignment, conversion, checksums, sum));
                    if (checksums) {
                        sums.put(assignment.tensor().name(), sum.getValue());
                    }
                });
            }
        }
        arena.flush();
        return sums;
    }

    private void stream(List<Assignment> copied) {
        List<Piece> pieces = Piece.of(copied);
        if (!pieces.isEmpty()) {
            progress(copied.getFirst().tensor(), 0);
            if (arena.device().kind() == DeviceKind.EMULATED_GPU) {
                pieces.forEach(piece -> piece.parts().forEach(this::writeMapped));
                return;
            }
            try (FileStream stream = new FileStream(file, arena, pieces, readers)) {
                stream.write(this::written);
            }
        }
    }

    /**
     * Writes from the mapped file. An emulated device has no copies of its own, and readers take its processors: on two
     * of them this loads at 4 GB/s, through host memory at 1.5 to 2.
     */
    private void writeMapped(Piece.Part part) {
        reading(
                part.tensor(),
                () -> arena.writeValueBytes(
                        part.assignment().value(),
                        part.first(),
                        file.bytes(part.tensor()).asSlice(part.first(), part.bytes())));
        written(part);
    }

    private void written(Piece.Part part) {
        progress(part.tensor(), part.first() + part.bytes());
        if (part.isLast()) {
            bytes += part.tensor().bytes();
        }
    }

    private long checksum(Tensor tensor) {
        CRC32C sum = new CRC32C();
        reading(tensor, () -> update(sum, file.bytes(tensor)));
        return sum.getValue();
    }

    private void convert(Assignment assignment, Conversion conversion, boolean checksum, Checksum sum) {
        Tensor tensor = assignment.tensor();
        MemorySegment source = file.bytes(tensor);
        long written = 0;
        for (long first = 0; first < tensor.elements(); first += Conversion.CHUNK) {
            progress(
                    tensor,
                    first / tensor.type().blockElements() * tensor.type().blockBytes());
            MemorySegment converted = conversion.convert(assignment, source, first);
            arena.writeValueBytes(assignment.value(), written, converted);
            written += converted.byteSize();
            if (checksum) {
                update(sum, converted);
            }
        }
        progress(tensor, tensor.bytes());
        bytes += tensor.bytes();
    }

    private void progress(Tensor tensor, long done) {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException("loading was cancelled after " + (bytes + done) + " of " + totalBytes
                    + " bytes; the values are written in part");
        }
        listener.accept(new LoadProgress(tensor, bytes + done, totalBytes, seconds()));
    }

    /** Reads the values back and compares them with what was written. */
    void verify(Map<String, Long> checksums) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment piece = memory.allocate(PIECE, Long.BYTES);
            for (Assignment assignment : assignments) {
                CRC32C sum = new CRC32C();
                long length = assignment.writtenBytes();
                for (long at = 0; at < length; at += PIECE) {
                    MemorySegment part = piece.asSlice(0, Math.min(PIECE, length - at));
                    arena.readValueBytes(assignment.value(), at, part);
                    update(sum, part);
                }
                Long wanted = checksums.get(assignment.tensor().name());
                if (wanted == null || wanted != sum.getValue()) {
                    throw new DeviceException(arena.plan().describe(assignment.value()) + ": expected the checksum "
                            + wanted + " of tensor '" + assignment.tensor().name() + "', got " + sum.getValue()
                            + " from the device");
                }
            }
        }
    }

    private static void update(Checksum sum, MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize(); at += PIECE) {
            sum.update(bytes.asSlice(at, Math.min(PIECE, bytes.byteSize() - at)).asByteBuffer());
        }
    }

    private void reading(Tensor tensor, Runnable work) {
        try {
            work.run();
            file.bytes(tensor); // refused if the file shrank meanwhile; an error that is late arrives in this call
        } catch (InternalError e) { // what the JVM makes of a page that the file no longer has
            throw new WeightFileException(
                    tensor.file(), tensor.offset(), "expected the file as it was opened; it shrank or failed", e);
        }
    }
}
