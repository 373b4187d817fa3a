package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUBufferMapCallbackInfo;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells whether something that was asked of the device has happened: a buffer was mapped, or the work was done.
 *
 * <p>Made once and used for one question after the other. One callback serves the whole process: the library hands it
 * the address of the cell of this completion, and it stores the status there.
 *
 * <p>Threads: one thread at a time asks and resets; any thread may deliver the answer and look.
 */
final class CallbackSlot {
    /** Of the structs that carry the callback; those for mapping and for work done are alike. */
    static final long INFO_BYTES = WGPUBufferMapCallbackInfo.layout().byteSize();

    static final int PENDING = 0;

    /** The same number for mapping and for work done. */
    static final int SUCCESS = WgpuNative.WGPUMapAsyncStatus_Success();

    private static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();
    private static final Map<Long, String> MESSAGES = new ConcurrentHashMap<>();
    private static final MemorySegment CALLBACK = callback();

    /** Those in nobody's use. The library may write to a cell for as long as the process lives, so none is given up. */
    private static final ArrayDeque<CallbackSlot> FREE = new ArrayDeque<>();

    private final long cell;
    private final MemorySegment info;

    /** Takes one; to be given back unless the library might still answer. */
    static CallbackSlot take() {
        synchronized (FREE) {
            CallbackSlot free = FREE.poll();
            return free == null ? new CallbackSlot() : free;
        }
    }

    static void give(CallbackSlot answered) {
        synchronized (FREE) {
            FREE.push(answered);
        }
    }

    private CallbackSlot() {
        cell = AddressSpace.FOREVER.allocate(ValueLayout.JAVA_INT).address();
        info = AddressSpace.FOREVER.allocate(WGPUBufferMapCallbackInfo.layout());
        WGPUBufferMapCallbackInfo.mode(info, WgpuNative.WGPUCallbackMode_AllowSpontaneous());
        WGPUBufferMapCallbackInfo.callback(info, CALLBACK);
        WGPUBufferMapCallbackInfo.userdata1(info, MemorySegment.ofAddress(cell));
    }

    /** Makes it ready for the next question. */
    void reset() {
        STATUS.setVolatile(AddressSpace.ALL, cell, PENDING);
    }

    /** The struct to pass along with the question. */
    MemorySegment info() {
        return info;
    }

    /** {@link #PENDING}, {@link #SUCCESS} or what else the library answered. */
    int status() {
        return (int) STATUS.getAcquire(AddressSpace.ALL, cell);
    }

    /** What the library said about the last answer that was no success. */
    String message() {
        String message = MESSAGES.remove(cell);
        return message == null ? "no message" : message;
    }

    private static void done(int status, String message, long cell) {
        if (status != SUCCESS) {
            MESSAGES.put(cell, message);
        }
        STATUS.setRelease(AddressSpace.ALL, cell, status);
    }

    /** The callback where the two words of the message struct come in registers: everywhere but on Windows on x86-64. */
    @SuppressWarnings("unused") // called from native code
    private static void inRegisters(int status, long text, long length, long cell, long unused) {
        done(status, status == SUCCESS ? "" : AddressSpace.text(text, length), cell);
    }

    /** The callback where a struct of 16 bytes comes as the address of a copy. */
    @SuppressWarnings("unused") // called from native code
    private static void byAddress(int status, long message, long cell, long unused) {
        done(status, status == SUCCESS ? "" : textAt(message), cell);
    }

    private static String textAt(long view) {
        return AddressSpace.text(
                AddressSpace.ALL.get(ValueLayout.JAVA_LONG, view),
                AddressSpace.ALL.get(ValueLayout.JAVA_LONG, view + Long.BYTES));
    }

    /**
     * Makes the callback with plain numbers for parameters, so that an answer allocates nothing. How a struct of two
     * words is passed is part of each platform's calling convention: in two registers by System V on x86-64 (section
     * 3.2.3) and by the Procedure Call Standard of Arm64 (section 6.8.2), as an address on Windows on x86-64.
     */
    private static MemorySegment callback() {
        boolean address = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")
                && System.getProperty("os.arch").equals("amd64");
        MethodType type = address
                ? MethodType.methodType(void.class, int.class, long.class, long.class, long.class)
                : MethodType.methodType(void.class, int.class, long.class, long.class, long.class, long.class);
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        FunctionDescriptor descriptor = address
                ? FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, word, word, word)
                : FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, word, word, word, word);
        try {
            MethodHandle target =
                    MethodHandles.lookup().findStatic(CallbackSlot.class, address ? "byAddress" : "inRegisters", type);
            return Linker.nativeLinker().upcallStub(target, descriptor, AddressSpace.FOREVER);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of this class is missing", e);
        }
    }
}
