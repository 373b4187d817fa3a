package com.example.mappedfile;

import io.devicearena.MemoryPlan;
import io.devicearena.plan.text.PlanText;
import io.devicearena.spi.ArenaGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The label of a kept file, after the arena's bytes: the plan, the scratch and the byte order it was made with.
 *
 * <p>The file is the arena's bytes, the text, and an end of {@value #END_BYTES} bytes that says how long the text is.
 * The end is written last: a file that has one is whole.
 */
final class FileLabel {
    private static final String MAGIC = "arenafile/1\n";
    private static final int END_BYTES = 20; // magic, and a long in the byte order of networks

    private final byte[] text;

    FileLabel(MemoryPlan plan, ArenaGeometry geometry) {
        this.text = ("byte_order\t" + ByteOrder.nativeOrder() + "\nscratch_bytes\t" + geometry.scratchBytes() + "\n"
                        + PlanText.format(plan))
                .getBytes(StandardCharsets.UTF_8);
    }

    void write(FileChannel channel, long at) throws IOException {
        writeFully(channel, ByteBuffer.wrap(text), at);
        channel.force(true);
        ByteBuffer end = ByteBuffer.allocate(END_BYTES).put(MAGIC.getBytes(StandardCharsets.UTF_8));
        writeFully(channel, end.putLong(text.length).flip(), at + text.length);
        channel.force(true);
    }

    /** Refuses a file with another label, or none, before a byte of it is changed. */
    void require(Path path, FileChannel channel, long at) throws IOException {
        long size = channel.size();
        ByteBuffer end = read(channel, Math.max(size - END_BYTES, 0), END_BYTES);
        byte[] magic = new byte[MAGIC.length()];
        if (end.remaining() == END_BYTES) {
            end.get(magic);
        }
        if (!Arrays.equals(magic, MAGIC.getBytes(StandardCharsets.UTF_8))) {
            throw new IOException("file '" + path + "': expected the file of an arena, got " + size
                    + " bytes of something else, or of a file whose making was interrupted; move it away");
        }
        if (size != at + text.length + END_BYTES
                || end.getLong() != text.length
                || !read(channel, at, text.length).equals(ByteBuffer.wrap(text))) {
            throw new IllegalArgumentException("file '" + path + "': expected the plan, scratch and byte order it was"
                    + " made with, got others; open it with those, or open another file");
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        for (long position = at; bytes.hasRemaining(); ) {
            position += channel.write(bytes, position);
        }
    }

    /** Reads up to a number of bytes. */
    private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (long position = at; bytes.hasRemaining(); ) {
            int count = channel.read(bytes, position);
            if (count < 0) {
                break;
            }
            position += count;
        }
        return bytes.flip();
    }
}
