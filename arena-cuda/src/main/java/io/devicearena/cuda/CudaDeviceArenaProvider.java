package io.devicearena.cuda;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.cuda.internal.arena.CudaBackend;
import io.devicearena.cuda.internal.compute.CudaKernels;
import io.devicearena.cuda.internal.device.InstalledDevices;
import io.devicearena.cuda.kernel.Kernels;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.SpiVersion;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The provider {@code cuda}: arenas on NVIDIA GPUs, through the library of their driver, version 525 or newer.
 *
 * <p>An arena is one allocation in the primary context of its device, which PyTorch, JCuda and ONNX Runtime use too.
 * The provider makes that context at the first arena and keeps it until the process ends. Calls make it current on
 * their thread.
 *
 * <p>The property {@code devicearena.cuda.library}, or the environment variable {@code DEVICEARENA_CUDA_LIBRARY}, is
 * the path of another library than the one that the system finds. It is read once.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class CudaDeviceArenaProvider implements DeviceArenaProvider {
    private final long context;
    private final long stream;

    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public CudaDeviceArenaProvider() {
        this(0, 0);
    }

    private CudaDeviceArenaProvider(long context, long stream) {
        this.context = context;
        this.stream = stream;
    }

    /**
     * Makes a provider whose arenas use a context and a stream of the caller. The caller keeps both, and destroys them
     * after the arenas are closed. Arenas with the same two share their staging. Call {@link #openArena} with a device
     * that {@link #probe} lists: the device of the context.
     *
     * @param context the {@code CUcontext}, not 0
     * @param stream a {@code CUstream} of it; 0 is the default stream
     * @return the provider, for this use only: {@link io.devicearena.discovery.DeviceArenas} does not find it
     * @throws IllegalArgumentException if {@code context} is 0
     */
    public static DeviceArenaProvider on(long context, long stream) {
        if (context == 0) {
            throw new IllegalArgumentException("context: expected a CUcontext, got 0; pass the current one");
        }
        return new CudaDeviceArenaProvider(context, stream);
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return InstalledDevices.PROVIDER;
    }

    @Override
    public Availability probe() {
        return InstalledDevices.ofProcess().answer();
    }

    /** Compute capability, driver, library, PCI address, UUID, memory and the limits of kernels. */
    @Override
    public Map<String, Object> facts(ArenaDevice device) {
        return InstalledDevices.ofProcess().require(device).facts();
    }

    /** The PCI address. */
    @Override
    public Optional<String> identity(ArenaDevice device) {
        return InstalledDevices.ofProcess().require(device).identity();
    }

    /** The free memory of the GPU. Where no arena is open, this makes a context for the question and drops it. */
    @Override
    public OptionalLong freeBytes(ArenaDevice device) {
        return OptionalLong.of(InstalledDevices.ofProcess().require(device).freeBytes());
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return CudaBackend.allocate(
                InstalledDevices.ofProcess().require(device),
                context,
                stream,
                plan,
                options,
                CudaDeviceArenaProvider::unwrap);
    }

    private static <T> Optional<T> unwrap(Class<T> type, CudaBackend backend, OpenArena arena) {
        if (type == Kernels.class) {
            return Optional.of(type.cast(new CudaKernels(backend, arena)));
        }
        if (type != CudaHandles.class) {
            return Optional.empty();
        }
        return Optional.of(type.cast(new CudaHandles(
                backend.context().handle(), backend.context().stream(), backend.arena(), backend.shadow())));
    }
}
