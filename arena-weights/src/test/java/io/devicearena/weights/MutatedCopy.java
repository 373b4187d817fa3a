package io.devicearena.weights;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** A copy of a real file's header, as long as the file, in which a few bytes are changed and put back. */
final class MutatedCopy implements AutoCloseable {
    /** Where most fields are: at the start, and in the list of tensors at the end. */
    private static final int FIELDS = 16_384;

    private final Path path;
    private final byte[] header;
    private final long size;
    private final FileChannel channel;
    private int firstChange;
    private int lastChange;

    /** Copies {@code headerBytes} of a file; what follows is a hole. */
    MutatedCopy(Path original, int headerBytes, Path path) throws IOException {
        this.path = path;
        this.size = Files.size(original);
        this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ByteBuffer bytes = ByteBuffer.allocate(headerBytes);
        try (FileChannel source = FileChannel.open(original, StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && source.read(bytes) >= 0) {
                // the file has as many bytes as it says
            }
        }
        this.header = bytes.array();
        this.lastChange = headerBytes;
        restore();
    }

    Path path() {
        return path;
    }

    /** Changes one to four places; one of 16 files is cut as well. */
    void mutate(RandomGenerator random) throws IOException {
        byte[] changed = header.clone();
        int first = header.length;
        int last = 0;
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = place(random);
            int end = Math.min(header.length, at + 8);
            switch (random.nextInt(4)) {
                case 0 -> changed[at] = (byte) random.nextInt(256);
                case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> changed[at]++;
                default -> Arrays.fill(changed, at, end, (byte) -random.nextInt(2));
            }
            first = Math.min(first, at);
            last = Math.max(last, end);
        }
        firstChange = first;
        lastChange = last;
        write(changed);
        if (random.nextInt(16) == 0) {
            channel.truncate(place(random));
            firstChange = 0;
            lastChange = header.length;
        }
    }

    private int place(RandomGenerator random) {
        int near = Math.min(FIELDS, header.length);
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(near);
            case 1 -> header.length - 1 - random.nextInt(near);
            default -> random.nextInt(header.length);
        };
    }

    private void write(byte[] bytes) throws IOException {
        ByteBuffer part = ByteBuffer.wrap(bytes, firstChange, lastChange - firstChange);
        while (part.hasRemaining()) {
            channel.write(part, part.position());
        }
    }

    /** Puts the bytes back that were changed. */
    void restore() throws IOException {
        write(header);
        if (channel.size() < size) {
            channel.write(ByteBuffer.allocate(1), size - 1);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.delete(path);
    }
}
