package io.devicearena.cuda.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the CUDA driver, found by its name. Its arguments are passed as {@code long}, in their order: on every
 * platform of the driver an argument takes a register or 8 bytes of the stack, and the driver reads the lower half
 * where it has an {@code int}. The caller takes them off the stack again, so it may pass more than the function has.
 *
 * <p>As a constant it is called straight once this is inlined, and a call allocates nothing on the heap. A wrong number
 * ends the process; callers check ranges and lifetimes first.
 *
 * <p>Threads: immutable.
 */
public record DriverCall(String name, MethodHandle handle) {
    /** Of every function: the JDK makes a way to call for each list of types, at 10 ms each as a process begins. */
    private static final FunctionDescriptor TYPES =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    /** Finds a function in the library of the process. */
    DriverCall(String name) {
        this(name, link(CudaLibrary.ofProcess().function(name)));
    }

    @SuppressWarnings("restricted") // the only downcalls of the module
    private static MethodHandle link(MemorySegment function) {
        return Linker.nativeLinker().downcallHandle(function, TYPES);
    }

    /** Calls it; returns its error, 0 for none. */
    int error(long a, long b, long c, long d, long e) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw new AssertionError("a call of the CUDA driver threw", thrown);
        }
    }

    /** Calls it with one argument; throws for an error. */
    public void call(long a) {
        call(a, 0, 0, 0);
    }

    /** Calls it with two arguments; throws for an error. */
    public void call(long a, long b) {
        call(a, b, 0, 0);
    }

    /** Calls it with three arguments; throws for an error. */
    public void call(long a, long b, long c) {
        call(a, b, c, 0);
    }

    /** Calls it with four arguments; throws for an error. */
    public void call(long a, long b, long c, long d) {
        int error = error(a, b, c, d, 0);
        if (error != 0) {
            throw Cuda.failure(name, error);
        }
    }

    /** What it writes to the address that is its first argument; throws for an error. */
    public long answer(long b) {
        return answer(b, 0);
    }

    /** The same with two more arguments. */
    public long answer(long b, long c) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment answer = call.allocate(JAVA_LONG);
            call(answer.address(), b, c);
            return answer.get(JAVA_LONG, 0);
        }
    }
}
