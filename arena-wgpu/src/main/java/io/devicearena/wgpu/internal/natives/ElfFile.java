package io.devicearena.wgpu.internal.natives;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds out whether a library of Linux was cut short. The system's loader maps such a file all the same, and touching the
 * part that is not there ends the process with a bus error: nobody could catch that. (The loaders of macOS and Windows
 * compare the sizes themselves.)
 *
 * <p><b>Source:</b> System V ABI, generic part, "Object Files": ELF header and program header of the 64-bit class.
 */
final class ElfFile {
    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int HEADER_BYTES = 64;
    private static final int PROGRAM_HEADER_BYTES = 56;

    private ElfFile() {}

    /** Returns the bytes that the headers promise, or nothing if this is no 64-bit little-endian ELF file. */
    static Optional<Long> promisedBytes(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER_BYTES);
            if (header.remaining() < HEADER_BYTES
                    || header.getInt(0) != MAGIC
                    || header.get(4) != CLASS_64
                    || header.get(5) != LITTLE_ENDIAN) {
                return Optional.empty();
            }
            header.order(ByteOrder.LITTLE_ENDIAN);
            long tableOffset = header.getLong(32);
            int entryBytes = Short.toUnsignedInt(header.getShort(54));
            int entries = Short.toUnsignedInt(header.getShort(56));
            long promised = tableOffset + (long) entryBytes * entries;
            if (entryBytes < PROGRAM_HEADER_BYTES || tableOffset < 0 || promised > channel.size()) {
                return Optional.of(promised);
            }
            for (int entry = 0; entry < entries; entry++) {
                ByteBuffer segment = read(channel, tableOffset + (long) entryBytes * entry, PROGRAM_HEADER_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
                promised = Math.max(promised, segment.getLong(8) + segment.getLong(32));
            }
            return Optional.of(promised);
        }
    }

    private static ByteBuffer read(FileChannel channel, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {
            // a read may return less than was asked for
        }
        return buffer.flip();
    }
}
