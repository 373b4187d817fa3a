package io.devicearena.weights.internal.safetensors;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.devicearena.weights.internal.header.WeightContents;
import io.devicearena.weights.reader.FirstBytes;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of one safetensors file: 8 bytes that say its length, and JSON.
 *
 * <p>Source: the section "Format" of the README of safetensors 0.6.
 */
public final class SafetensorsHeader {
    /** The bytes before the header. */
    public static final int PREFIX = 8;
    /** The longest header, as in the library that defines the format. */
    private static final long LONGEST = 100_000_000;
    /** Bytes of heap for each byte of a header of many small tensors, rounded up. */
    private static final int BYTE_COST = 12;

    private static final String METADATA = "__metadata__";
    private static final EnumSet<TensorType> TYPES = EnumSet.range(TensorType.BOOL, TensorType.F4);

    private final MappedFile file;
    private final long data;
    private final List<Tensor> tensors = new ArrayList<>();
    private final Map<String, MetadataValue> metadata = new LinkedHashMap<>();

    private SafetensorsHeader(MappedFile file, long data) {
        this.file = file;
        this.data = data;
    }

    /** Reads the header of a file. */
    public static WeightContents read(MappedFile file) {
        if (file.size() < PREFIX) {
            String got = file.size() == 0 ? "an empty file" : "one of " + file.size() + " bytes";
            throw file.fault(0, "expected a safetensors or GGUF file, got " + got);
        }
        long length =
                ByteBuffer.wrap(bytes(file, 0, PREFIX)).order(LITTLE_ENDIAN).getLong();
        long heap = Runtime.getRuntime().maxMemory() / BYTE_COST;
        long most = Math.min(Math.min(LONGEST, heap), file.size() - PREFIX);
        if (length < 2 || length > most) {
            throw file.fault(0, problem(file, length, most));
        }
        SafetensorsHeader header = new SafetensorsHeader(file, PREFIX + length);
        StrictJson.read(
                file,
                PREFIX,
                bytes(file, PREFIX, (int) length),
                json -> (key, place) -> header.readMember(json, key, place));
        header.checkRanges();
        return new WeightContents(FileFormat.SAFETENSORS, List.of(file), header.tensors, header.metadata);
    }

    private static byte[] bytes(MappedFile file, long offset, int length) {
        byte[] bytes = new byte[length];
        file.read(offset, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private static String problem(MappedFile file, long length, long most) {
        Optional<String> other = FirstBytes.describe(file.firstBytes());
        if (other.isPresent()) {
            return "expected a safetensors or GGUF file, got " + other.get();
        }
        return "expected a header of "
                + (most < 2 ? "2 or more bytes" : "2 to " + most + " bytes") + ", got "
                + Long.toUnsignedString(length) + "; is it a safetensors or GGUF file?";
    }

    private void readMember(StrictJson json, String key, long place) {
        if (!key.equals(METADATA)) {
            readTensor(json, key, place);
        } else if (!json.takeNull()) { // null, as the library that defines the format reads it: no metadata
            json.object(key, (name, ignored) -> metadata.put(name, new MetadataValue(name, json.text(name))));
        }
    }

    private void readTensor(StrictJson json, String name, long place) {
        Fields fields = new Fields();
        json.object(name, (key, ignored) -> {
            switch (key) {
                case "dtype" -> fields.type = json.text(key);
                case "shape" -> fields.shape = json.longs(key);
                case "data_offsets" -> fields.range = json.longs(key);
                default -> json.skip(key);
            }
        });
        add(name, fields.type, fields.shape, fields.range, place);
    }

    /** What a tensor says, in any order. */
    private static final class Fields {
        private String type = "";
        private List<Long> shape = List.of();
        private List<Long> range = List.of();
    }

    private void add(String name, String typeName, List<Long> shape, List<Long> range, long place) {
        String subject = "tensor '" + TensorSizes.escaped(name) + "'";
        if (!TensorSizes.isPrintable(name)) {
            throw file.fault(place, subject + ": expected a name without control characters");
        }
        if (tensors.size() == TensorSizes.MOST_TENSORS) {
            throw file.fault(place, subject + ": expected at most " + TensorSizes.MOST_TENSORS + " tensors");
        }
        TensorType type = TYPES.stream()
                .filter(known -> known.name().equals(typeName))
                .findFirst()
                .orElseThrow(() -> file.fault(
                        place,
                        subject + ": expected a dtype of " + TYPES + ", got '" + TensorSizes.escaped(typeName) + "'"));
        if (range.size() != 2 || range.get(0) > range.get(1) || range.get(1) > file.size() - data) {
            throw file.fault(
                    place,
                    subject + ": expected data_offsets of a begin and an end within the " + (file.size() - data)
                            + " bytes of data, got " + range);
        }
        long bytes = range.get(1) - range.get(0);
        long wanted;
        try {
            wanted = bytes(type, shape);
        } catch (IllegalArgumentException e) {
            throw file.fault(place, subject + ": " + e.getMessage());
        }
        if (bytes != wanted) {
            throw file.fault(
                    place, subject + ": expected " + wanted + " bytes for " + type + " " + shape + ", got " + bytes);
        }
        tensors.add(new Tensor(name, type, shape, file.path(), data + range.get(0), bytes));
    }

    /** Bytes of a shape; floats of 4 and 6 bits are packed across rows. */
    private static long bytes(TensorType type, List<Long> shape) {
        if (!type.isBlocked()) {
            return TensorSizes.bytes(type, shape);
        }
        long elements = TensorSizes.bytes(TensorType.U8, shape);
        return TensorSizes.bytes(type, List.of(elements));
    }

    /** The format asks for data without overlaps and holes. */
    private void checkRanges() {
        tensors.sort(Comparator.comparingLong(Tensor::offset).thenComparingLong(Tensor::bytes));
        long end = data;
        for (Tensor tensor : tensors) {
            if (tensor.offset() != end) {
                throw file.fault(
                        Math.min(tensor.offset(), end),
                        "tensor '" + tensor.name() + "': expected it to begin at byte " + end
                                + ", where the one before ends, got " + tensor.offset());
            }
            end += tensor.bytes();
        }
        if (end != file.size()) {
            throw file.fault(
                    end,
                    "expected the file to end with the last tensor, got " + (file.size() - end)
                            + " bytes that belong to none");
        }
    }
}
