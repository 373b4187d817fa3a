package io.devicearena.cuda;

import static io.devicearena.cuda.testing.CudaDrivers.OTHER;
import static io.devicearena.cuda.testing.CudaDrivers.VALUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.F16Shadow;
import io.devicearena.HostMemory;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.cuda.kernel.Kernels;
import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.TestDriver;
import io.devicearena.cuda.testing.TestKernels;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding.Access;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Workgroups;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls throw when the driver fails, and that nothing is lost then. On the test driver over host memory. */
class CudaFaultsTest {
    private static final int LONG = 1 << 20;
    private static final int INVALID_VALUE = 1;
    private static final int OUT_OF_MEMORY = 2;
    private static final int ILLEGAL_ADDRESS = 700;

    /** No more faults of one call in a scenario: later ones meet the same code. */
    private static final int MAX_FAULTS = 12;

    private static final List<String> KINDS = List.of("memory", "host", "stream", "event", "module", "exec", "context");

    private static final String PTX = TestKernels.text();

    private final CudaDeviceArenaProvider provider = CudaDrivers.testProvider();

    @AfterEach
    void forgetFaults() {
        TestDriver.reset();
    }

    /** Every way of a transfer, on an arena that it opens and closes. */
    private static void useArena(DeviceArenaProvider provider) {
        DeviceArena arena = provider.openArena(
                CudaDrivers.device(new CudaDeviceArenaProvider()), CudaDrivers.plan(LONG), ArenaOptions.defaults());
        try {
            useEveryCall(arena);
        } finally {
            closeAtLast(arena);
        }
    }

    private static void useEveryCall(DeviceArena arena) {
        float[] few = {1, 2, 3};
        float[] many = new float[LONG / Float.BYTES];
        arena.writeInputF32(VALUE, DType.F32, few);
        arena.writeInputF32(VALUE, DType.F32, many);
        arena.writeInputF32(VALUE, DType.BF16, many);
        arena.readOutputF32(VALUE, DType.F16, many);
        arena.readOutputF32(VALUE, DType.F32, few);
        Batch batch = Batch.builder()
                .floats(VALUE, DType.F32, few)
                .bytes(LONG, MemorySegment.ofArray(new byte[5]))
                .build();
        arena.writeBatch(batch);
        arena.readBatch(batch);
        arena.beginRead(batch).await();
        arena.copyBytes(0, 64, 4096);
        arena.fillBytes(3, 5, (byte) 1);
        arena.unwrap(F16Shadow.class).orElseThrow().refresh(OTHER);
        try (HostMemory host = arena.allocateHost(LONG)) {
            arena.writeBytes(0, host.segment());
            arena.beginWrite(Batch.builder().bytes(0, host.segment()).build()).await();
            arena.readBytes(0, host.segment());
        }
        useKernels(arena.unwrap(Kernels.class).orElseThrow());
        arena.flush();
    }

    /** A wait would fail, and find the device held. */
    @Test
    void longInputOfAProgram_behindALongWrite_doesNotWaitForTheDevice() {
        float[] many = new float[LONG / Float.BYTES];
        Batch batch = Batch.builder().floats(VALUE, DType.F32, many).build();
        DeviceArena arena = provider.openArena(
                CudaDrivers.device(new CudaDeviceArenaProvider()), CudaDrivers.plan(LONG), ArenaOptions.defaults());
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        KernelProgram program = kernels.recorder()
                .copy(kernels.window(OTHER), 0, kernels.window(VALUE), 0, Integer.BYTES)
                .build();
        try {
            TestDriver.hold();
            TestDriver.fail("cuEventSynchronize", 1, INVALID_VALUE);
            arena.writeInputF32(VALUE, DType.F32, many);
            program.submit(batch);
        } finally {
            TestDriver.reset();
            closeAtLast(arena);
        }
    }

    /** A kernel would begin later. */
    @Test
    void neighboursInABatchOfReads_areOneCopy() {
        int bytes = 4096;
        byte[] written = new byte[3 * bytes];
        new Random(1).nextBytes(written);
        DeviceArena arena = provider.openArena(
                CudaDrivers.device(new CudaDeviceArenaProvider()), CudaDrivers.plan(LONG), ArenaOptions.defaults());
        try {
            arena.writeBytes(0, MemorySegment.ofArray(written));
            arena.flush();
            byte[][] read = new byte[3][bytes];
            Batch.Builder batch = Batch.builder();
            for (int i = 0; i < read.length; i++) {
                batch.bytes((long) i * bytes, MemorySegment.ofArray(read[i]));
            }
            TestDriver.reset();
            arena.readBatch(batch.build());
            assertThat(TestDriver.calls("cuMemcpyAsync")).isEqualTo(1);
            assertThat(TestDriver.calls("cuLaunchKernelEx")).isZero();
            for (int i = 0; i < read.length; i++) {
                assertThat(read[i]).isEqualTo(Arrays.copyOfRange(written, i * bytes, (i + 1) * bytes));
            }
        } finally {
            closeAtLast(arena);
        }
    }

    private static void useKernels(Kernels kernels) {
        KernelSource source = KernelSource.ptx("test_scale", PTX, Access.READ_WRITE, Access.UNIFORM, Access.UNIFORM);
        float[] few = {1, 2, 3};
        Batch batch = Batch.builder().floats(VALUE, DType.F32, few).build();
        try (Kernel scale = kernels.compile(source);
                KernelBuffer extra = kernels.buffer("extra", Integer.BYTES);
                KernelProgram program = kernels.recorder()
                        .dispatch(
                                scale,
                                Bindings.of(
                                        kernels.window(VALUE),
                                        kernels.uniform(Float.floatToRawIntBits(2)),
                                        kernels.uniform(3)),
                                Workgroups.of(1))
                        .copy(kernels.window(VALUE), 0, extra, 0, Integer.BYTES)
                        .build()) {
            program.submit();
            program.run(batch, batch);
            program.begin(batch).await();
            List<StepTime> _ = program.time();
        }
    }

    /** A close that failed has freed nothing that the next one does not free. */
    private static void closeAtLast(DeviceArena arena) {
        for (int i = 0; i < MAX_FAULTS; i++) {
            try {
                arena.close();
                return;
            } catch (RuntimeException e) {
                assertThat(e).isInstanceOf(DeviceException.class);
            }
        }
        arena.close();
    }

    private static Map<String, Long> live() {
        return KINDS.stream()
                .collect(Collectors.toMap(Function.identity(), TestDriver::live, (a, b) -> a, TreeMap::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuMemAlloc_v2",
                "cuMemFree_v2",
                "cuMemHostAlloc",
                "cuMemFreeHost",
                "cuMemcpyAsync",
                "cuMemsetD8Async",
                "cuMemGetInfo_v2",
                "cuStreamSynchronize",
                "cuEventRecord",
                "cuEventRecordWithFlags",
                "cuEventElapsedTime",
                "cuEventQuery",
                "cuEventSynchronize",
                "cuLaunchKernelEx",
                "cuCtxSetCurrent",
                "cuStreamCreate",
                "cuModuleUnload",
                "cuStreamBeginCapture_v2",
                "cuStreamEndCapture",
                "cuGraphInstantiateWithFlags",
                "cuGraphLaunch",
                "cuGraphExecDestroy",
            })
    void eachCallOfAnArena_failing_throwsItsTextAndLosesNothing(String call) {
        useArena(provider);
        Map<String, Long> before = live();
        assertEachFaultIsReported(provider, call);
        useArena(provider);
        assertThat(live()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuMemAlloc_v2",
                "cuMemHostAlloc",
                "cuMemsetD8Async",
                "cuEventCreate",
                "cuModuleLoadDataEx",
                "cuModuleGetFunction",
            })
    void eachCallThatPreparesAContext_failing_throwsItsTextAndLosesNothing(String call) {
        useArena(provider);
        long context = Cuda.RETAIN_CONTEXT.answer(0);
        Cuda.SET_CURRENT.call(context);
        long stream = Cuda.CREATE_STREAM.answer(Cuda.STREAM_NON_BLOCKING);
        try {
            DeviceArenaProvider onStream = CudaDeviceArenaProvider.on(context, stream);
            useArena(onStream);
            Map<String, Long> before = live();
            assertEachFaultIsReported(onStream, call);
            assertThat(live()).isEqualTo(before);
        } finally {
            Cuda.SET_CURRENT.call(context);
            Cuda.DESTROY_STREAM.call(stream);
            Cuda.RELEASE_CONTEXT.call(0);
        }
    }

    @Test
    void mappedView_whoseArenaIsClosed_isReadableAndThenFreed() {
        useArena(provider);
        long context = Cuda.RETAIN_CONTEXT.answer(0);
        Cuda.SET_CURRENT.call(context);
        long stream = Cuda.CREATE_STREAM.answer(Cuda.STREAM_NON_BLOCKING);
        try {
            Map<String, Long> before = live();
            DeviceArena arena = CudaDeviceArenaProvider.on(context, stream)
                    .openArena(CudaDrivers.device(provider), CudaDrivers.plan(LONG), ArenaOptions.defaults());
            arena.writeInputF32(VALUE, DType.F32, new float[] {1, 2, 3});
            float[] read = arena.withBytes(0, 12, view -> {
                arena.close();
                return view.toArray(ValueLayout.JAVA_FLOAT);
            });
            assertThat(read).containsExactly(1, 2, 3);
            assertThat(live()).isEqualTo(before);
        } finally {
            Cuda.SET_CURRENT.call(context);
            Cuda.DESTROY_STREAM.call(stream);
            Cuda.RELEASE_CONTEXT.call(0);
        }
    }

    private static void assertEachFaultIsReported(DeviceArenaProvider provider, String call) {
        long already = TestDriver.calls(call);
        useArena(provider);
        long calls = TestDriver.calls(call) - already;
        for (int nth = 1; nth <= Math.min(calls, MAX_FAULTS); nth++) {
            TestDriver.reset();
            TestDriver.fail(call, nth, INVALID_VALUE);
            try {
                useArena(provider);
            } catch (RuntimeException e) {
                assertThat(e).as("fault %d of %s", nth, call).isInstanceOf(DeviceException.class);
                assertThat(e).hasMessageContaining(call.replaceFirst("_v2$", ""));
            }
            TestDriver.reset();
            CompletableFuture.runAsync(() -> useArena(provider)).join(); // no lock is left to the thread that failed
        }
    }

    @Test
    void callThatFails_message_hasFunctionNameNumberAndText() {
        try (DeviceArena arena = CudaDrivers.open(provider, LONG)) {
            TestDriver.fail("cuMemcpyAsync", 1, INVALID_VALUE);
            assertThatThrownBy(() -> arena.readOutputF32(VALUE, DType.F32, new float[3]))
                    .isInstanceOf(DeviceException.class)
                    .hasMessage(
                            "cuMemcpyAsync: expected success, got CUDA_ERROR_INVALID_VALUE (1), " + "invalid argument");
        }
    }

    @Test
    void illegalAddress_losesTheGpuToTheProcess() {
        String lost =
                ": expected success, got CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access was encountered;"
                        + " CUDA is lost to this process: close its arenas, and start a new process or use another"
                        + " provider";
        DeviceArena arena = CudaDrivers.open(provider, LONG);
        TestDriver.fail("cuStreamSynchronize", 1, ILLEGAL_ADDRESS);
        for (int i = 0; i < 2; i++) { // the context keeps the error
            assertThatThrownBy(arena::flush)
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessage("cuStreamSynchronize" + lost);
        }
        arena.close();
        assertThatThrownBy(() -> CudaDrivers.open(provider, LONG))
                .isInstanceOf(DeviceLostException.class)
                .hasMessage("cuDevicePrimaryCtxRetain" + lost);
        TestDriver.reset(); // as a new process would find it
        useArena(provider);
        assertThat(TestDriver.live("context")).isOne();
    }

    @Test
    void arenaThatDoesNotFit_isRefusedBeforeItIsAllocated() {
        useArena(provider);
        long free = provider.freeBytes(CudaDrivers.device(provider)).orElseThrow();
        long allocations = TestDriver.calls("cuMemAlloc_v2");
        assertThatThrownBy(() -> CudaDrivers.open(provider, free / 2))
                .isInstanceOf(ArenaOutOfMemoryException.class)
                .hasMessageMatching("arena 'device arena': expected \\d+ bytes \\([0-9.]+ GiB\\) of free memory on"
                        + " 'test driver over host memory 0', got " + free
                        + " bytes \\([0-9.]+ GiB\\); close other arenas or plan a smaller one");
        assertThat(TestDriver.calls("cuMemAlloc_v2")).isEqualTo(allocations);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void outOfMemory_atTheNthAllocation_isReported(int nth) {
        useArena(provider);
        Map<String, Long> before = live();
        TestDriver.fail("cuMemAlloc_v2", nth, OUT_OF_MEMORY);
        try {
            useArena(provider);
        } catch (DeviceException e) {
            assertThat(e)
                    .isInstanceOf(ArenaOutOfMemoryException.class)
                    .hasMessage("cuMemAlloc_v2: expected success, got CUDA_ERROR_OUT_OF_MEMORY (2), out of memory;"
                            + " close other arenas or plan a smaller one");
        }
        assertThat(live()).isEqualTo(before);
    }
}
