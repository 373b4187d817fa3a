package io.devicearena.cuda.kernel;

import io.devicearena.kernel.KernelBinding.Access;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The source of a kernel: PTX, or a cubin that was compiled for the device.
 *
 * <p>The driver compiles PTX, and keeps what it compiled on disk. It refuses a version of PTX that is newer than
 * itself. A pointer that leaves its window reads or writes other memory, and one that leaves the memory of the process
 * loses the device: nothing checks indices.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the name of the kernel in errors and tools
 * @param image the bytes of PTX, a cubin or a fatbin; {@link #of} copies them
 * @param entryPoint the name of the kernel in the source
 * @param parameters what the kernel does with each of its parameters, in their order: {@link Access#UNIFORM} is one by
 *     value, the others are pointers
 * @param threadsX the threads of a block, which a dispatch calls a workgroup, along the first axis; 1 or more
 * @param threadsY along the second, 1 or more
 * @param threadsZ along the third, 1 or more
 * @param sharedBytes the shared memory of a block, beside what the kernel declares; 0 to 49,152 bytes
 * @param isEarly whether its blocks may start while the kernel in front of it ends, see {@link #withEarlyStart}
 */
@SuppressWarnings("ArrayRecordComponent") // equal sources have the same array: to compare texts would take long
public record KernelSource(
        String label,
        byte[] image,
        String entryPoint,
        List<Access> parameters,
        int threadsX,
        int threadsY,
        int threadsZ,
        int sharedBytes,
        boolean isEarly) {
    /** The most bytes of shared memory of a block that every device has without being asked. */
    private static final int MAX_SHARED_BYTES = 48 << 10;

    /**
     * Makes a source.
     *
     * @throws IllegalArgumentException if a number of threads is less than 1, or that of shared bytes out of range
     */
    public KernelSource {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(entryPoint, "entryPoint");
        parameters = List.copyOf(parameters);
        if (threadsX < 1 || threadsY < 1 || threadsZ < 1) {
            throw new IllegalArgumentException(
                    "threads: expected 1 or more along each axis, got " + threadsX + ", " + threadsY + ", " + threadsZ);
        }
        if (sharedBytes < 0 || sharedBytes > MAX_SHARED_BYTES) {
            throw new IllegalArgumentException(
                    "shared memory: expected 0 to " + MAX_SHARED_BYTES + " bytes, got " + sharedBytes);
        }
    }

    /**
     * Makes a source, with blocks of one thread.
     *
     * @param entryPoint the name of the kernel, declared {@code extern "C"}; also its label
     * @param ptx the text
     * @param parameters what the kernel does with each of its parameters, in their order: {@link Access#UNIFORM} is one
     *     by value, the others are pointers
     * @return the source
     */
    public static KernelSource ptx(String entryPoint, String ptx, Access... parameters) {
        return of(entryPoint, ptx.getBytes(StandardCharsets.UTF_8), parameters);
    }

    /**
     * Makes a source, with blocks of one thread.
     *
     * @param entryPoint the name of the kernel; also its label
     * @param image a cubin, a fatbin, or the bytes of PTX; copied
     * @param parameters what the kernel does with each of its parameters
     * @return the source
     */
    public static KernelSource of(String entryPoint, byte[] image, Access... parameters) {
        return new KernelSource(entryPoint, image.clone(), entryPoint, List.of(parameters), 1, 1, 1, 0, false);
    }

    /**
     * Makes a source from a file, as it is now: an engine that watches the file compiles it again.
     *
     * @param entryPoint the name of the kernel; also its label
     * @param file PTX, a cubin or a fatbin
     * @param parameters what the kernel does with each of its parameters
     * @return the source
     * @throws IOException if the file cannot be read
     */
    public static KernelSource file(String entryPoint, Path file, Access... parameters) throws IOException {
        return of(entryPoint, Files.readAllBytes(file), parameters);
    }

    /**
     * Sets the threads of a block, which a dispatch calls a workgroup.
     *
     * @param x along the first axis, 1 or more
     * @param y along the second, 1 or more
     * @param z along the third, 1 or more
     * @return the changed source
     * @throws IllegalArgumentException if a number is less than 1
     */
    public KernelSource withThreads(int x, int y, int z) {
        return new KernelSource(label, image, entryPoint, parameters, x, y, z, sharedBytes, isEarly);
    }

    /**
     * Sets the shared memory of a block whose size the kernel leaves open.
     *
     * @param bytes 0 to 49,152
     * @return the changed source
     * @throws IllegalArgumentException if the number is out of range
     */
    public KernelSource withSharedBytes(int bytes) {
        return new KernelSource(label, image, entryPoint, parameters, threadsX, threadsY, threadsZ, bytes, isEarly);
    }

    /**
     * Lets blocks of the kernel start while the kernel in front of it in a program ends, which hides what they do
     * first, such as reading weights (programmatic dependent launch). The kernel itself must execute {@code
     * griddepcontrol.wait} in each thread before it touches anything that a kernel in front of it writes or reads:
     * nothing checks that. Devices before compute capability 9.0 start it as usual.
     *
     * @return the changed source
     */
    public KernelSource withEarlyStart() {
        return new KernelSource(label, image, entryPoint, parameters, threadsX, threadsY, threadsZ, sharedBytes, true);
    }

    /**
     * Names the kernel for errors and tools.
     *
     * @param text any text
     * @return the changed source
     */
    public KernelSource withLabel(String text) {
        return new KernelSource(
                text, image, entryPoint, parameters, threadsX, threadsY, threadsZ, sharedBytes, isEarly);
    }

    /** {@return the bytes of PTX or a cubin, copied} */
    @Override
    public byte[] image() {
        return image.clone();
    }

    @Override
    public String toString() {
        return "kernel '" + label + "'";
    }
}
