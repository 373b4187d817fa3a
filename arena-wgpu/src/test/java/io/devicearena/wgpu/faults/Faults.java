package io.devicearena.wgpu.faults;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The controls of the library of {@link FaultLibrary}, in the process that has loaded it. */
final class Faults implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MethodHandle arm;
    private final MethodHandle reached;
    private final MethodHandle alive;

    Faults() {
        SymbolLookup lookup =
                SymbolLookup.libraryLookup(Path.of(System.getProperty("devicearena.wgpu.library")), arena);
        Linker linker = Linker.nativeLinker();
        ValueLayout.OfInt number = ValueLayout.JAVA_INT;
        arm = linker.downcallHandle(symbol(lookup, "fault_arm"), FunctionDescriptor.ofVoid(number, number, number));
        reached = linker.downcallHandle(symbol(lookup, "fault_reached"), FunctionDescriptor.of(number));
        alive = linker.downcallHandle(symbol(lookup, "fault_alive"), FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    }

    private static MemorySegment symbol(SymbolLookup lookup, String name) {
        return lookup.find(name).orElseThrow(() -> new AssertionError(name + " is not in the library"));
    }

    /** Lets a call fail once, the given number of calls from now. */
    void arm(int call, Fault.Kind kind, int time) throws Throwable {
        arm.invokeExact(call, kind.number(), time);
    }

    /** Ends the fault, and returns whether it happened. */
    boolean disarm() throws Throwable {
        return (int) reached.invokeExact() != 0;
    }

    /** The number of native objects that live. */
    long alive() throws Throwable {
        return (long) alive.invokeExact();
    }

    @Override
    public void close() {
        arena.close();
    }
}
