package io.devicearena.weights.internal.gguf;

import io.devicearena.weights.internal.header.WeightContents;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The header of one GGUF file: metadata, and where each tensor is.
 *
 * <p>Source: the specification of GGUF in the repository of GGML, versions 2 and 3.
 */
public final class GgufHeader {
    /** The first four bytes of a file. */
    public static final String MAGIC = "GGUF";

    private static final String ALIGNMENT = "general.alignment";
    private static final long DEFAULT_ALIGNMENT = 32;
    /** GGML has four, and files of others could have more. */
    private static final int MOST_DIMENSIONS = 8;
    /** Models have some dozens. */
    private static final int MOST_ENTRIES = 100_000;
    /** Heap for a tensor, beside its name: its shape, and its places in maps. */
    private static final int TENSOR_COST = 400;
    /** A length, a type and one byte. */
    private static final int SHORTEST_ENTRY = 13;
    /** A length, a number of dimensions, a type and an offset. */
    private static final int SHORTEST_TENSOR = 24;

    private final MappedFile file;
    private final GgufCursor cursor;
    private final Map<String, MetadataValue> metadata = new LinkedHashMap<>();

    private GgufHeader(MappedFile file) {
        this.file = file;
        this.cursor = new GgufCursor(file, MAGIC.length());
    }

    /** Reads the header of a file that begins with {@link #MAGIC}. */
    public static WeightContents read(MappedFile file) {
        return new GgufHeader(file).read();
    }

    private WeightContents read() {
        long version = cursor.u32("version");
        if (version != 2 && version != 3) {
            boolean swapped = (version & 0xffff) == 0;
            throw file.fault(
                    MAGIC.length(),
                    "expected GGUF version 2 or 3, got " + version
                            + (swapped ? ": a file in big-endian order; convert it to little-endian" : ""));
        }
        long tensors = cursor.count("number of", "tensors", Math.min(TensorSizes.MOST_TENSORS, most(SHORTEST_TENSOR)));
        long entries = cursor.count("number of", "metadata entries", Math.min(MOST_ENTRIES, most(SHORTEST_ENTRY)));
        for (long i = 0; i < entries; i++) {
            readEntry();
        }
        List<Tensor> found = readTensors((int) tensors);
        return new WeightContents(FileFormat.GGUF, List.of(file), found, metadata);
    }

    private long most(int shortest) {
        return Math.max(0, cursor.remaining() - 2 * Long.BYTES) / shortest;
    }

    private void readEntry() {
        long at = cursor.position();
        String key = cursor.name("metadata key");
        if (key.isEmpty()) { // the format asks for names with dots, and GGML ends the process at such a file
            throw file.fault(at, "metadata key: expected 1 or more characters, got none");
        }
        long number = cursor.u32(key);
        Optional<GgufType> type = GgufType.of(number);
        if (type.isEmpty()) {
            throw file.fault(at, key + ": expected a type of 0 to 12, got " + number);
        }
        if (metadata.putIfAbsent(key, value(type.get(), key)) != null) {
            throw file.fault(at, key + ": expected each key once, got it twice");
        }
    }

    private MetadataValue value(GgufType type, String key) {
        return switch (type) {
            case ARRAY -> new MetadataValue(key, GgufArray.read(cursor, key));
            case STRING -> {
                byte[] bytes = cursor.text(key);
                yield new MetadataValue(key, GgufCursor.decode(bytes), ByteBuffer.wrap(bytes));
            }
            default -> new MetadataValue(key, cursor.scalar(type, key));
        };
    }

    private long alignment() {
        MetadataValue value = metadata.get(ALIGNMENT);
        if (value == null) {
            return DEFAULT_ALIGNMENT;
        }
        try {
            long alignment = value.integer();
            if (alignment > 0 && alignment <= Integer.MAX_VALUE && Long.bitCount(alignment) == 1) {
                return alignment;
            }
        } catch (IllegalArgumentException e) {
            // refused below, as other values that are no alignment
        }
        throw file.fault(0, ALIGNMENT + ": expected a power of two, got " + value.value());
    }

    private List<Tensor> readTensors(int count) {
        List<Tensor> relative = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            long at = cursor.position();
            Tensor tensor = readTensor();
            if (!names.add(tensor.name())) {
                throw file.fault(at, "tensor '" + tensor.name() + "': expected each name once, got it twice");
            }
            relative.add(tensor);
        }
        long alignment = alignment();
        long data = (cursor.position() + alignment - 1) / alignment * alignment;
        List<Tensor> tensors = new ArrayList<>();
        for (Tensor tensor : relative) {
            tensors.add(placed(tensor, data, alignment));
        }
        tensors.sort(new ByOffset());
        checkOverlaps(tensors);
        return tensors;
    }

    /** Reads a tensor whose offset counts from the start of the data. */
    private Tensor readTensor() {
        long at = cursor.position();
        String name = cursor.name("tensor name");
        String subject = subject(name);
        cursor.pay(at, TENSOR_COST);
        long dimensions = cursor.u32(subject);
        if (dimensions > MOST_DIMENSIONS) {
            throw file.fault(at, subject + ": expected at most " + MOST_DIMENSIONS + " dimensions, got " + dimensions);
        }
        List<Long> shape = new ArrayList<>();
        for (int i = 0; i < dimensions; i++) {
            shape.add(cursor.count("dimension of", subject, Long.MAX_VALUE));
        }
        Collections.reverse(shape); // the file has the innermost first
        long number = cursor.u32(subject);
        Optional<TensorType> known = GgufTensorTypes.of(number);
        if (known.isEmpty()) {
            throw file.fault(at, subject + ": expected a type that GGML has, got " + number);
        }
        TensorType type = known.get();
        long offset = cursor.count("offset of", subject, file.size());
        try {
            return new Tensor(name, type, shape, file.path(), offset, TensorSizes.bytes(type, shape));
        } catch (IllegalArgumentException e) {
            throw file.fault(at, subject + ": " + e.getMessage());
        }
    }

    /** Joined without {@code +}, which takes some milliseconds the first time; every tensor needs a subject. */
    private static String subject(String name) {
        return "tensor '".concat(name).concat("'");
    }

    private Tensor placed(Tensor tensor, long data, long alignment) {
        String subject = subject(tensor.name());
        if (tensor.offset() % alignment != 0) {
            throw file.fault(
                    data,
                    subject + ": expected an offset that is a multiple of the alignment of " + alignment + ", got "
                            + tensor.offset());
        }
        long offset = data + tensor.offset();
        if (tensor.bytes() > file.size() - offset) {
            throw file.fault(
                    offset,
                    subject + ": expected " + tensor.bytes() + " bytes, got the end of the file after "
                            + Math.max(0, file.size() - offset));
        }
        return new Tensor(tensor.name(), tensor.type(), tensor.shape(), tensor.file(), offset, tensor.bytes());
    }

    /** A class, since the first lambda of a JVM takes milliseconds. */
    private static final class ByOffset implements Comparator<Tensor> {
        @Override
        public int compare(Tensor a, Tensor b) {
            return Long.compare(a.offset(), b.offset());
        }
    }

    private void checkOverlaps(List<Tensor> tensors) {
        long end = 0;
        for (Tensor tensor : tensors) {
            if (tensor.offset() < end && tensor.bytes() > 0) {
                throw file.fault(
                        tensor.offset(),
                        "tensor '" + tensor.name() + "': expected it behind the one before, which ends at byte " + end);
            }
            end = Math.max(end, tensor.offset() + tensor.bytes());
        }
    }
}
