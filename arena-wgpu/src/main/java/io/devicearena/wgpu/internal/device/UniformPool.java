package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;
import io.devicearena.wgpu.internal.lifetime.Uses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

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
    private final SharedObjects<ByteBuffer, Place> places = new SharedObjects<>((_, place) -> free(place));
    private final List<Block> blocks = new ArrayList<>();

    /** Where some bytes are. Threads: immutable. */
    private record Place(Block block, GpuBindGroup.Range range) {}

    /** A buffer of places behind each other, and those of them that are free; its users are its places. */
    private final class Block {
        final GpuBuffer buffer;
        final List<GpuBindGroup.Range> free = new ArrayList<>();
        final Uses uses = new Uses(this::close);
        long end;

        Block(GpuBuffer buffer) {
            this.buffer = buffer;
        }

        private void close() {
            blocks.remove(this);
            buffer.close();
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
    public GpuBindGroup.Range acquire(ByteBuffer content) {
        return places.acquire(content, () -> written(content)).range();
    }

    private Place written(ByteBuffer content) {
        Place place = place(content.remaining() + 15L & -16L);
        GpuBindGroup.Range range = place.range();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment copy = call.allocate(range.bytes(), 8);
            MemorySegment.copy(MemorySegment.ofBuffer(content), 0, copy, 0, content.remaining());
            device.queue().write(range.buffer(), range.offset(), copy.address(), range.bytes());
        } catch (RuntimeException | Error e) {
            free(place);
            throw e;
        }
        return place;
    }

    private synchronized Place place(long bytes) {
        for (Block block : blocks) {
            for (int i = 0; i < block.free.size(); i++) {
                if (block.free.get(i).bytes() == bytes && block.uses.acquire()) {
                    return new Place(block, block.free.remove(i));
                }
            }
        }
        Block last = blocks.isEmpty() ? null : blocks.getLast();
        if (last == null || last.end + bytes > BLOCK_BYTES || !last.uses.acquire()) {
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
        return new Place(last, range);
    }

    /** Ends the use of bytes by one user. */
    public void release(ByteBuffer content) {
        places.release(content);
    }

    private synchronized void free(Place place) {
        place.block().free.add(place.range());
        place.block().uses.release();
    }

    /** The number of uniforms. */
    public int size() {
        return places.size();
    }
}
