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

/** Makes a device lost, as a driver may: it is destroyed below its arenas. */
final class LosableDevice {
    private static final String DESTROY = "wgpuDeviceDestroy";

    private LosableDevice() {}

    /** Whether the device of an arena can be lost. */
    static boolean canLose(DeviceArena arena) {
        return arena instanceof WgpuArena;
    }

    /**
     * Destroys the device of an arena. No thread may use an arena of it at this time: the library frees mapped memory
     * that a copy may be writing to, which the loss of a real device does not.
     */
    @SuppressWarnings("restricted") // the function is not in the API, since no engine needs it
    static void lose(DeviceArena arena) {
        WgpuHandles handles = ((WgpuArena) arena).handles();
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
