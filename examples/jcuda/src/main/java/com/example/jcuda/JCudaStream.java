package com.example.jcuda;

import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * The primary context of a GPU, a stream in it, and one kernel, all of them JCuda's. Arenas of {@link #provider} are in
 * that context, and their transfers run on that stream: what JCuda launches here sees the writes before it, and reads
 * see what it wrote.
 *
 * <p>Threads: one thread, which made it.
 */
final class JCudaStream implements AutoCloseable {
    private static final int BLOCK = 256;

    private final CUdevice device = new CUdevice();
    private final Context context = new Context();
    private final Stream stream = new Stream();
    private final CUmodule module = new CUmodule();
    private final CUfunction scale = new CUfunction();

    /** JCuda has handles as objects; a subclass may see the number. */
    private static final class Context extends CUcontext {
        long handle() {
            return getNativePointer();
        }
    }

    private static final class Stream extends CUstream {
        long handle() {
            return getNativePointer();
        }
    }

    JCudaStream(int ordinal) {
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriver.cuInit(0);
        JCudaDriver.cuDeviceGet(device, ordinal);
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
        JCudaDriver.cuCtxSetCurrent(context);
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING);
        JCudaDriver.cuModuleLoadDataEx(module, text("scale.ptx"), 0, new int[0], Pointer.to(new int[0]));
        JCudaDriver.cuModuleGetFunction(scale, module, "scale");
    }

    /** A provider whose arenas use this context and this stream. */
    DeviceArenaProvider provider() {
        return CudaDeviceArenaProvider.on(context.handle(), stream.handle());
    }

    /** Multiplies floats of device memory, when the work before it on the stream is done. */
    void scale(long address, float factor, int n) {
        Pointer parameters = Pointer.to(
                Pointer.to(new long[] {address}), Pointer.to(new float[] {factor}), Pointer.to(new int[] {n}));
        JCudaDriver.cuLaunchKernel(scale, (n + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, parameters, null);
    }

    /** Reads floats of device memory by JCuda alone. */
    float[] read(long address, int n) {
        float[] values = new float[n];
        CUdeviceptr from = new CUdeviceptr().withByteOffset(address); // a CUdeviceptr has no constructor for a number
        JCudaDriver.cuMemcpyDtoHAsync(Pointer.to(values), from, (long) n * Float.BYTES, stream);
        JCudaDriver.cuStreamSynchronize(stream);
        return values;
    }

    private static String text(String name) {
        try (InputStream resource = JCudaStream.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    @Override
    public void close() {
        JCudaDriver.cuModuleUnload(module);
        JCudaDriver.cuStreamDestroy(stream);
        JCudaDriver.cuDevicePrimaryCtxRelease(device);
    }
}
