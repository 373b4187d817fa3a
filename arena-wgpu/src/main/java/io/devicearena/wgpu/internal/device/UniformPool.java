package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The constant bytes of uniforms on one device, for all arenas: equal bytes are uploaded once. They lie in blocks, and
 * are freed with their last user.
 *
 * <p>A freed place is written again after the commands that read it: writes and submissions go through one queue.
 *
 * <p>Threads: safe for any thread.
 */
public final class UniformPool {
    /** The size of a block in bytes: the longest uniform binding that every device supports. */
    private static final long BLOCK_BYTES = 64L << 10;

    private final GpuDevice device;
    private final Map<ByteBuffer, Entry> entries = new HashMap<>();
    private final List<Block> blocks = new ArrayList<>();

    /** The place of some bytes, and its number of users. */
    private static final class Entry {
        final Block block;
        final GpuBindGroup.Range range;
        int users = 1;

        Entry(Block block, GpuBindGroup.Range range) {
            this.block = block;
            this.range = range;
        }
    }

    /** A buffer of places behind each other, and those of them that are free. */
    private static final class Block {
        final GpuBuffer buffer;
        final List<GpuBindGroup.Range> free = new ArrayList<>();
        long end;
        int used;

        Block(GpuBuffer buffer) {
            this.buffer = buffer;
        }
    }

    UniformPool(GpuDevice device) {
        this.device = device;
    }

    /**
     * Returns a range with constant bytes, for one more user; {@link #release} must follow.
     *
     * @param content 1 to 65,536 bytes, filled up with zeros to a multiple of 16; must not change
     * @throws io.devicearena.DeviceException if the device fails
     */
    public synchronized GpuBindGroup.Range acquire(ByteBuffer content) {
        Entry known = entries.get(content);
        if (known != null) {
            known.users++;
            return known.range;
        }
        Entry made = place(content.remaining() + 15L & -16L);
        try (Arena call = Arena.ofConfined()) {
            MemorySegment copy = call.allocate(made.range.bytes(), 8);
            MemorySegment.copy(MemorySegment.ofBuffer(content), 0, copy, 0, content.remaining());
            device.queue().write(made.range.buffer(), made.range.offset(), copy.address(), made.range.bytes());
        } catch (RuntimeException | Error e) {
            free(made);
            throw e;
        }
        entries.put(content, made);
        return made.range;
    }

    private Entry place(long bytes) {
        for (Block block : blocks) {
            for (int i = 0; i < block.free.size(); i++) {
                if (block.free.get(i).bytes() == bytes) {
                    block.used++;
                    return new Entry(block, block.free.remove(i));
                }
            }
        }
        Block last = blocks.isEmpty() ? null : blocks.getLast();
        if (last == null || last.end + bytes > BLOCK_BYTES) {
            last = new Block(device.createBuffer(
                    "device arena uniforms",
                    BLOCK_BYTES,
                    WgpuNative.WGPUBufferUsage_Uniform()
                            | WgpuNative.WGPUBufferUsage_Storage()
                            | WgpuNative.WGPUBufferUsage_CopyDst()));
            blocks.add(last);
        }
        GpuBindGroup.Range range = new GpuBindGroup.Range(last.buffer, last.end, bytes);
        long alignment = Math.max(
                device.limits().uniformAlignmentBytes(), device.limits().bindingAlignmentBytes());
        last.end = last.end + bytes + (alignment - 1) & -alignment;
        last.used++;
        return new Entry(last, range);
    }

    /** Ends the use of bytes by one user. */
    public synchronized void release(ByteBuffer content) {
        Entry entry = entries.get(content);
        if (entry == null) {
            throw new AssertionError("a uniform was released twice");
        }
        if (--entry.users == 0) {
            entries.remove(content);
            free(entry);
        }
    }

    private void free(Entry entry) {
        Block block = entry.block;
        block.free.add(entry.range);
        if (--block.used == 0) {
            blocks.remove(block);
            block.buffer.close();
        }
    }

    /** The number of uniforms. */
    public synchronized int size() {
        return entries.size();
    }

    /** The number of blocks. */
    public synchronized int blocks() {
        return blocks.size();
    }
}
