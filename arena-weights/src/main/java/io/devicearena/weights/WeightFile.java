package io.devicearena.weights;

import io.devicearena.weights.internal.gguf.GgufHeader;
import io.devicearena.weights.internal.gguf.GgufSplit;
import io.devicearena.weights.internal.header.WeightContents;
import io.devicearena.weights.internal.safetensors.SafetensorsHeader;
import io.devicearena.weights.internal.safetensors.ShardIndex;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The weights of a model in its file: safetensors or GGUF, also in several files.
 *
 * <p>Opening reads the header. The data stay where they are until they are read: the files are mapped. Files are not
 * trusted; one that is not what its format asks for is refused with the place of the fault.
 *
 * <p>A file must not change while it is open. Where it shrinks, loads, {@link #read} and {@link #bytes} end with a
 * {@link WeightFileException}; bytes that {@link #bytes} gave before end with an {@link InternalError} when they are
 * read.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until {@link #close}; afterwards reading throws {@link IllegalStateException}.
 */
public final class WeightFile implements WeightSource, AutoCloseable {
    private final Path path;
    private final WeightContents contents;
    private final Map<String, Tensor> byName;
    private final Map<Path, MappedFile> files = new LinkedHashMap<>();

    private WeightFile(Path path, WeightContents contents) {
        this.path = path;
        this.contents = contents;
        Map<String, Tensor> tensors =
                LinkedHashMap.newLinkedHashMap(contents.tensors().size());
        for (Tensor tensor : contents.tensors()) {
            tensors.put(tensor.name(), tensor);
        }
        this.byName = Collections.unmodifiableMap(tensors);
        for (MappedFile file : contents.files()) {
            files.put(file.path(), file);
        }
    }

    /**
     * Opens a file of weights.
     *
     * @param path a safetensors file, an index of several ({@code model.safetensors.index.json}), a GGUF file of
     *     version 2 or 3, or any part of one that is split
     * @return the file, to be closed
     * @throws WeightFileException if the file, or one that belongs to it, cannot be read or is not in its format
     */
    public static WeightFile open(Path path) {
        List<MappedFile> opened = new ArrayList<>();
        try {
            MappedFile first = MappedFile.open(Objects.requireNonNull(path, "path"));
            opened.add(first);
            return new WeightFile(path, read(first, opened));
        } catch (RuntimeException e) {
            opened.forEach(MappedFile::close);
            throw e;
        }
    }

    private static WeightContents read(MappedFile file, List<MappedFile> opened) {
        List<MappedFile> others = new ArrayList<>();
        WeightContents contents;
        try {
            if (file.path().toString().endsWith(".json")) {
                contents = ShardIndex.read(file, others);
            } else if (isGguf(file)) {
                contents = GgufSplit.read(file, others);
            } else {
                contents = SafetensorsHeader.read(file);
            }
        } finally {
            opened.addAll(others);
        }
        if (!contents.files().contains(file)) { // an index, or a part that was opened again in its turn
            opened.remove(file);
            file.close();
        }
        return contents;
    }

    private static boolean isGguf(MappedFile file) {
        if (file.size() < GgufHeader.MAGIC.length()) {
            return false;
        }
        byte[] begin = new byte[GgufHeader.MAGIC.length()];
        file.read(0, ByteBuffer.wrap(begin));
        return new String(begin, StandardCharsets.ISO_8859_1).equals(GgufHeader.MAGIC);
    }

    /** {@return the path that was opened} */
    @Override
    public Path path() {
        return path;
    }

    /** {@return the format} */
    public FileFormat format() {
        return contents.format();
    }

    /** {@return the tensors by name, in the order of their data} */
    @Override
    public Map<String, Tensor> tensors() {
        return byName;
    }

    /** {@return the metadata by key; of files in several parts those of the first} */
    public Map<String, MetadataValue> metadata() {
        return Collections.unmodifiableMap(contents.metadata());
    }

    /**
     * {@return a value of the metadata, or empty if there is none}
     *
     * @param key the name in the metadata
     */
    public Optional<MetadataValue> metadata(String key) {
        return Optional.ofNullable(contents.metadata().get(Objects.requireNonNull(key, "key")));
    }

    /**
     * Returns the bytes of a tensor, as the file has them. Nothing is read before the segment is.
     *
     * @param tensor a tensor of this file
     * @return a read-only segment, for any thread, until this file is closed
     * @throws IllegalArgumentException if the tensor is of another file
     * @throws WeightFileException if the file shrank since it was opened, or cannot be mapped
     */
    @Override
    public MemorySegment bytes(Tensor tensor) {
        return fileOf(tensor).bytes(tensor.offset(), tensor.bytes());
    }

    @Override
    public void read(Tensor tensor, long first, MemorySegment destination) {
        MappedFile file = fileOf(tensor);
        Objects.checkFromIndexSize(first, destination.byteSize(), tensor.bytes());
        file.read(tensor.offset() + first, destination);
    }

    private MappedFile fileOf(Tensor tensor) {
        MappedFile file = files.get(tensor.file());
        if (file == null || !tensor.equals(byName.get(tensor.name()))) {
            throw new IllegalArgumentException("expected a tensor of " + path + ", got " + tensor);
        }
        return file;
    }

    @Override
    public void close() {
        files.values().forEach(MappedFile::close);
    }

    @Override
    public String toString() {
        return format().label() + " file " + path + " of " + byName.size() + " tensors";
    }
}
