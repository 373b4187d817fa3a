package io.devicearena.bench.soak;

import io.devicearena.DeviceArena;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.WgpuHandles;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.logging.Logger;

/** Makes a device lost, as a driver may: it is destroyed below its arenas. */
final class LosableDevice {
    private static final String DESTROY = "wgpuDeviceDestroy";

    /** Held here: the JDK forgets the filter of a logger that nothing refers to. */
    private static final Logger BACKEND = Logger.getLogger("io.devicearena.wgpu");

    private LosableDevice() {}

    /** Keeps the backend from warning of each loss: the table counts those of {@link #lose}, others are errors. */
    static void silenceLosses() {
        BACKEND.setFilter(entry -> !entry.getMessage().contains("' was lost: "));
    }

    /** Whether the device of an arena can be lost. */
    static boolean canLose(DeviceArena arena) {
        return arena.unwrap(WgpuArena.class).isPresent();
    }

    /**
     * Destroys the device of an arena. No thread may use an arena of it at this time: the library frees mapped memory
     * that a copy may be writing to, which the loss of a real device does not.
     */
    @SuppressWarnings("restricted") // the function is not in the API, since no engine needs it
    static void lose(DeviceArena arena) {
        WgpuHandles handles = arena.unwrap(WgpuArena.class).orElseThrow().handles();
        try (Arena library = Arena.ofConfined()) {
            MemorySegment function = SymbolLookup.libraryLookup(handles.library(), library)
                    .find(DESTROY)
                    .orElseThrow(() ->
                            new IllegalStateException(handles.library() + ": expected " + DESTROY + ", found none"));
            MethodHandle destroy =
                    Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
            destroy.invokeExact(handles.device());
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // a downcall throws nothing
        }
    }
}
