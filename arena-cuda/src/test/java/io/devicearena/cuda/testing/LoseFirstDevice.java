package io.devicearena.cuda.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.cuda.CudaHandles;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A program that opens two arenas on each GPU, lets a kernel on the first GPU fault, and prints what still works. */
public final class LoseFirstDevice {
    private static final String KERNELS = "/io/devicearena/cuda/test_kernels.ptx";

    private LoseFirstDevice() {}

    /** Runs it; there are no arguments. */
    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        CudaDeviceArenaProvider provider = new CudaDeviceArenaProvider();
        List<ArenaDevice> devices = ((Availability.Ready) provider.probe()).devices();
        List<DeviceArena> arenas = new ArrayList<>();
        for (ArenaDevice device : devices) {
            arenas.add(open(provider, device));
            arenas.add(open(provider, device));
        }
        fault(arenas.getFirst().unwrap(CudaHandles.class).orElseThrow());
        for (DeviceArena arena : arenas) {
            print(out, arena.device(), () -> use(arena));
            arena.close();
        }
        for (ArenaDevice device : devices) {
            print(out, device, () -> {
                try (DeviceArena arena = open(provider, device)) {
                    use(arena);
                }
            });
        }
    }

    private static DeviceArena open(CudaDeviceArenaProvider provider, ArenaDevice device) {
        return provider.openArena(device, CudaDrivers.plan(1 << 10), ArenaOptions.defaults());
    }

    private static void use(DeviceArena arena) {
        arena.writeInputF32(CudaDrivers.VALUE, DType.F32, new float[] {1, 2});
        arena.readOutputF32(CudaDrivers.VALUE, DType.F32, 2);
    }

    private static void fault(CudaHandles handles) throws IOException {
        try (InputStream text = Objects.requireNonNull(LoseFirstDevice.class.getResourceAsStream(KERNELS));
                Arena memory = Arena.ofConfined()) {
            MemorySegment address = memory.allocate(ValueLayout.JAVA_LONG);
            MemorySegment parameters = memory.allocateFrom(ValueLayout.JAVA_LONG, address.address());
            Cuda.SET_CURRENT.call(handles.context());
            long kernel = Cuda.function(Cuda.loadModule(text.readAllBytes()).module(), "test_illegal");
            long config = memory.allocate(Cuda.LAUNCH_BYTES, Long.BYTES).address();
            Cuda.launch(config, kernel, new int[] {1, 1, 1, 1, 1, 1}, 0, handles.stream(), parameters.address(), false);
        }
    }

    private static void print(PrintStream out, ArenaDevice device, Runnable use) {
        String outcome = "works";
        try {
            use.run();
        } catch (RuntimeException e) {
            // the name of the call and its kernel may differ: the driver reports the fault when it notices it
            outcome = e.getClass().getSimpleName()
                    + String.valueOf(e.getMessage()).replaceFirst("^cu\\w+( of \\w+)?", "");
        }
        out.println(device.index() + " " + outcome);
    }
}
