package io.devicearena.weights.internal.safetensors;

import io.devicearena.weights.internal.header.WeightContents;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Weights in several safetensors files: {@code model.safetensors.index.json} says which tensor is in which. */
public final class ShardIndex {
    private static final long LONGEST = 100_000_000;
    private static final int MOST_SHARDS = 10_000;

    private final MappedFile index;
    private final Map<String, String> shards = new LinkedHashMap<>();
    private final Map<String, MetadataValue> metadata = new LinkedHashMap<>();

    private ShardIndex(MappedFile index) {
        this.index = index;
    }

    /** Reads an index and the headers of its files, which are left open in {@code opened}, also when this throws. */
    public static WeightContents read(MappedFile index, List<MappedFile> opened) {
        if (index.size() > LONGEST) {
            throw index.fault(0, "expected an index of at most " + LONGEST + " bytes, got " + index.size());
        }
        ShardIndex reader = new ShardIndex(index);
        byte[] json = new byte[(int) index.size()];
        index.read(0, ByteBuffer.wrap(json));
        StrictJson.read(index, 0, json, text -> (key, place) -> reader.readMember(text, key));
        return reader.readShards(opened);
    }

    private void readMember(StrictJson json, String key) {
        if (key.equals("weight_map")) {
            json.object(key, (name, place) -> shards.put(name, json.text(name)));
        } else {
            json.skip(key);
        }
    }

    private WeightContents readShards(List<MappedFile> opened) {
        Map<String, Map<String, Tensor>> byShard = new LinkedHashMap<>();
        List<Tensor> tensors = new ArrayList<>();
        for (Map.Entry<String, String> entry : shards.entrySet()) {
            Map<String, Tensor> shard = byShard.get(entry.getValue());
            if (shard == null) {
                shard = open(entry.getValue(), opened);
                byShard.put(entry.getValue(), shard);
            }
            Tensor tensor = shard.get(entry.getKey());
            if (tensor == null) {
                throw index.fault(
                        0,
                        "tensor '" + TensorSizes.escaped(entry.getKey()) + "': expected it in "
                                + TensorSizes.escaped(entry.getValue()) + ", got none of that name");
            }
            tensors.add(tensor);
        }
        if (tensors.isEmpty()) {
            throw index.fault(0, "expected a weight_map of 1 or more tensors, got none");
        }
        return new WeightContents(FileFormat.SAFETENSORS, opened, tensors, metadata);
    }

    private Map<String, Tensor> open(String name, List<MappedFile> opened) {
        MappedFile file = MappedFile.open(sibling(name));
        opened.add(file);
        if (opened.size() > MOST_SHARDS) {
            throw index.fault(0, "expected at most " + MOST_SHARDS + " shards");
        }
        WeightContents contents = SafetensorsHeader.read(file);
        contents.metadata().forEach(metadata::putIfAbsent);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        contents.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
        return tensors;
    }

    /** A shard lies beside its index: an index does not reach into other folders. */
    private Path sibling(String name) {
        try {
            Path shard = Path.of(name);
            if (!name.isEmpty() && shard.getNameCount() == 1 && !shard.isAbsolute() && !name.equals("..")) {
                return index.path().resolveSibling(shard);
            }
        } catch (InvalidPathException e) {
            // refused below, as other names that no file beside the index has
        }
        throw index.fault(0, "expected the name of a file beside the index, got '" + TensorSizes.escaped(name) + "'");
    }
}
