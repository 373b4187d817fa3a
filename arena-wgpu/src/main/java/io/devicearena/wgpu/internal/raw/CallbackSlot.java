package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUBufferMapCallbackInfo;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Receives the answer of one asynchronous call: whether a buffer is mapped, or submitted work is done.
 *
 * <p>One upcall stub serves the whole process. A call passes the address of its slot's cell along, and the stub stores
 * the status there. Slots are pooled, so that a call allocates nothing.
 *
 * <p>Threads: one thread at a time resets the slot and makes the call; any thread may deliver the answer and read it.
 */
public final class CallbackSlot {
    /** The status before the answer arrives. */
    public static final int PENDING = 0;

    /** The status of success; the library uses the same number for mapping and for work done. */
    public static final int SUCCESS = WgpuNative.WGPUMapAsyncStatus_Success();

    private static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();
    private static final Map<Long, String> MESSAGES = new ConcurrentHashMap<>();
    private static final MemorySegment CALLBACK = callback();

    /** Slots that no call uses. The library may write to a cell as long as the process lives, so no cell is freed. */
    private static final ArrayDeque<CallbackSlot> FREE = new ArrayDeque<>();

    private final long cell;
    private final MemorySegment info;

    private CallbackSlot() {
        cell = AddressSpace.PROCESS.allocate(ValueLayout.JAVA_INT).address();
        info = AddressSpace.PROCESS.allocate(WGPUBufferMapCallbackInfo.layout());
        WGPUBufferMapCallbackInfo.mode(info, WgpuNative.WGPUCallbackMode_AllowSpontaneous());
        WGPUBufferMapCallbackInfo.callback(info, CALLBACK);
        WGPUBufferMapCallbackInfo.userdata1(info, MemorySegment.ofAddress(cell));
    }

    /** Takes a slot from the pool. {@link #release} must follow, unless the library might still answer. */
    public static CallbackSlot acquire() {
        synchronized (FREE) {
            CallbackSlot free = FREE.poll();
            return free == null ? new CallbackSlot() : free;
        }
    }

    /** Returns a slot to the pool; its call was answered, or none was made. */
    public static void release(CallbackSlot answered) {
        synchronized (FREE) {
            FREE.push(answered);
        }
    }

    /** Prepares the slot for the next call. */
    public void reset() {
        STATUS.setVolatile(AddressSpace.ALL, cell, PENDING);
    }

    /** The struct to pass to the call; those for mapping and for work done have the same layout. */
    public MemorySegment info() {
        return info;
    }

    /** {@link #PENDING}, {@link #SUCCESS} or another status of the library. */
    public int status() {
        return (int) STATUS.getAcquire(AddressSpace.ALL, cell);
    }

    /** Returns the library's message for the last failure, and forgets it. */
    public String takeMessage() {
        String message = MESSAGES.remove(cell);
        return message == null ? "no message" : message;
    }

    private static void answer(int status, String message, long cell) {
        if (status != SUCCESS) {
            MESSAGES.put(cell, message);
        }
        STATUS.setRelease(AddressSpace.ALL, cell, status);
    }

    /**
     * The callback where the two words of the message struct arrive in registers: all platforms but Windows on x86-64.
     */
    @SuppressWarnings("unused") // called from native code
    private static void inRegisters(int status, long text, long length, long cell, long unused) {
        answer(status, status == SUCCESS ? "" : NativeText.at(text, length), cell);
    }

    /** The callback where a struct of 16 bytes arrives as the address of a copy. */
    @SuppressWarnings("unused") // called from native code
    private static void byAddress(int status, long message, long cell, long unused) {
        answer(status, status == SUCCESS ? "" : NativeText.of(AddressSpace.ALL.asSlice(message)), cell);
    }

    /**
     * Makes the upcall stub. Its parameters are plain numbers, so that an answer allocates nothing. Each platform's
     * calling convention defines how a struct of two words is passed: in two registers by System V on x86-64 (section
     * 3.2.3) and by the Procedure Call Standard of Arm64 (section 6.8.2), as an address on Windows on x86-64.
     */
    private static MemorySegment callback() {
        boolean address = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")
                && System.getProperty("os.arch").equals("amd64");
        FunctionDescriptor descriptor = descriptor(address);
        try {
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(CallbackSlot.class, address ? "byAddress" : "inRegisters", descriptor.toMethodType());
            return Linker.nativeLinker().upcallStub(target, descriptor, AddressSpace.PROCESS);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of this class is missing", e);
        }
    }

    /** The descriptor of the callback, where a text arrives as an address or in two registers. */
    static FunctionDescriptor descriptor(boolean address) {
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        return address
                ? FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, word, word, word)
                : FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, word, word, word, word);
    }
}
