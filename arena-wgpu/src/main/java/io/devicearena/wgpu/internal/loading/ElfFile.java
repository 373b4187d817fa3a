package io.devicearena.wgpu.internal.loading;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Checks a Linux library before the system's loader maps it. The loader also maps a truncated file, and an access to
 * the missing part ends the process with a bus error. (The loaders of macOS and Windows compare the sizes themselves.)
 * For a file that is not an ELF file, the JVM would print a warning about stacks to the program's output.
 *
 * <p><b>Source:</b> System V ABI, generic part, "Object Files": ELF header and program header of the 64-bit class.
 */
final class ElfFile {
    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int HEADER_BYTES = 64;
    private static final int LOADED_SEGMENT = 1;
    private static final int PROGRAM_HEADER_BYTES = 56;

    private ElfFile() {}

    /** Refuses a file that is not ELF, or is shorter than its headers declare. */
    static void check(Path file) throws IOException, UnusableLibraryException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER_BYTES);
            if (header.remaining() < Integer.BYTES || header.getInt(0) != MAGIC) {
                throw new UnusableLibraryException(file + ": expected a library, got a file without an ELF header");
            }
            long declared = header.remaining() < HEADER_BYTES ? HEADER_BYTES : declaredBytes(channel, header);
            if (Long.compareUnsigned(declared, channel.size()) > 0) {
                throw new UnusableLibraryException(file + ": the file is cut short: expected at least "
                        + Long.toUnsignedString(declared) + " bytes, got " + channel.size());
            }
        }
    }

    /** The length that the headers declare; the loader itself refuses other classes and byte orders. */
    private static long declaredBytes(FileChannel channel, ByteBuffer header) throws IOException {
        if (header.get(4) != CLASS_64 || header.get(5) != LITTLE_ENDIAN) {
            return 0;
        }
        header.order(ByteOrder.LITTLE_ENDIAN);
        long tableOffset = header.getLong(32);
        int entryBytes = Short.toUnsignedInt(header.getShort(54));
        int entries = Short.toUnsignedInt(header.getShort(56));
        long declared = tableOffset + (long) entryBytes * entries;
        if (entryBytes < PROGRAM_HEADER_BYTES || Long.compareUnsigned(declared, channel.size()) > 0) {
            return declared;
        }
        for (int entry = 0; entry < entries; entry++) {
            ByteBuffer segment = read(channel, tableOffset + (long) entryBytes * entry, PROGRAM_HEADER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (segment.getInt(0) == LOADED_SEGMENT) {
                declared = Math.max(declared, segment.getLong(8) + segment.getLong(32));
            }
        }
        return declared;
    }

    private static ByteBuffer read(FileChannel channel, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        int got;
        do {
            got = channel.read(buffer, position + buffer.position());
        } while (got > 0);
        return buffer.flip();
    }
}
