package io.devicearena.wgpu.internal.loading;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Looks at a library of Linux before the system's loader does. That one maps a file that was cut short all the same, and
 * touching the part that is not there ends the process with a bus error: nobody could catch that. (The loaders of macOS and
 * Windows compare the sizes themselves.) And of a file that is no ELF file at all the JVM prints a warning about stacks on
 * the program's own output.
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

    /** Refuses a file that the loader of a 64-bit little-endian Linux would take badly. */
    static void check(Path file) throws IOException, UnusableLibraryException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER_BYTES);
            if (header.remaining() < Integer.BYTES || header.getInt(0) != MAGIC) {
                throw new UnusableLibraryException(file + ": expected a library, got a file without an ELF header");
            }
            long promised = header.remaining() < HEADER_BYTES ? HEADER_BYTES : promisedBytes(channel, header);
            if (Long.compareUnsigned(promised, channel.size()) > 0) {
                throw new UnusableLibraryException(file + ": the file is cut short: expected at least "
                        + Long.toUnsignedString(promised) + " bytes, got " + channel.size());
            }
        }
    }

    /** How long the file must be by its headers; the loader itself refuses other classes and byte orders. */
    private static long promisedBytes(FileChannel channel, ByteBuffer header) throws IOException {
        if (header.get(4) != CLASS_64 || header.get(5) != LITTLE_ENDIAN) {
            return 0;
        }
        header.order(ByteOrder.LITTLE_ENDIAN);
        long tableOffset = header.getLong(32);
        int entryBytes = Short.toUnsignedInt(header.getShort(54));
        int entries = Short.toUnsignedInt(header.getShort(56));
        long promised = tableOffset + (long) entryBytes * entries;
        if (entryBytes < PROGRAM_HEADER_BYTES || Long.compareUnsigned(promised, channel.size()) > 0) {
            return promised;
        }
        for (int entry = 0; entry < entries; entry++) {
            ByteBuffer segment = read(channel, tableOffset + (long) entryBytes * entry, PROGRAM_HEADER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (segment.getInt(0) == LOADED_SEGMENT) {
                promised = Math.max(promised, segment.getLong(8) + segment.getLong(32));
            }
        }
        return promised;
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
