package io.devicearena.weights.internal.gguf;

import io.devicearena.weights.internal.header.WeightContents;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Weights that are split into files {@code name-00001-of-00003.gguf}; the first has the metadata. */
public final class GgufSplit {
    private static final String NAME = "(.*)-(\\d{5})-of-(\\d{5})\\.gguf";
    private static final String NUMBER = "split.no";
    private static final String COUNT = "split.count";
    private static final String TENSORS = "split.tensors.count";

    private GgufSplit() {}

    /**
     * Reads a file, and the others where it is one of several. They are left open in {@code opened}, also when this
     * throws.
     */
    public static WeightContents read(MappedFile file, List<MappedFile> opened) {
        WeightContents one = GgufHeader.read(file);
        long count = integer(file, one.metadata(), COUNT, 1);
        if (count <= 1) {
            return one;
        }
        Path name = file.path().getFileName();
        Matcher matcher = Pattern.compile(NAME).matcher(name == null ? "" : name.toString());
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) != count) {
            throw file.fault(
                    0,
                    "expected a name like model-00001-of-" + padded(count) + ".gguf of a file that is split" + " in "
                            + count + ", got " + name);
        }
        return readAll(file, opened, matcher.group(1), (int) count);
    }

    private static WeightContents readAll(MappedFile given, List<MappedFile> opened, String prefix, int count) {
        List<Tensor> tensors = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Map<String, MetadataValue> metadata = Map.of();
        for (int i = 0; i < count; i++) {
            Path path = given.path().resolveSibling(prefix + "-" + padded(i + 1) + "-of-" + padded(count) + ".gguf");
            MappedFile file = MappedFile.open(path);
            opened.add(file);
            WeightContents part = GgufHeader.read(file);
            long number = integer(file, part.metadata(), NUMBER, -1);
            if (number != i) {
                throw file.fault(0, NUMBER + ": expected " + i + " in " + path.getFileName() + ", got " + number);
            }
            for (Tensor tensor : part.tensors()) {
                if (!names.add(tensor.name())) {
                    throw file.fault(0, "tensor '" + tensor.name() + "': expected it in one file, got it in two");
                }
                tensors.add(tensor);
            }
            metadata = i == 0 ? part.metadata() : metadata;
        }
        long wanted = integer(given, metadata, TENSORS, tensors.size());
        if (wanted != tensors.size()) {
            throw given.fault(0, TENSORS + ": expected " + wanted + " tensors in all files, got " + tensors.size());
        }
        return new WeightContents(FileFormat.GGUF, opened, tensors, metadata);
    }

    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, 5 - digits.length())) + digits;
    }

    private static long integer(MappedFile file, Map<String, MetadataValue> metadata, String key, long otherwise) {
        MetadataValue value = metadata.get(key);
        try {
            return value == null ? otherwise : value.integer();
        } catch (IllegalArgumentException e) {
            throw file.fault(0, String.valueOf(e.getMessage()));
        }
    }
}
