package io.devicearena.wgpu.faults;

import io.devicearena.wgpu.testing.CCompiler;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A library between the bindings and wgpu-native that holds one call until a test releases it: a submission, as Mesa's
 * lavapipe does while an earlier kernel runs, or the poll of a thread that waits for the device. A submission holds
 * locks of the library, so other calls that need them wait too.
 */
final class HeldLibrary implements AutoCloseable {
    private static final Path HEADERS = Path.of("target/natives/headers").toAbsolutePath();

    private static final String SOURCE = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <pthread.h>
            #include "webgpu.h"
            #include "wgpu.h"

            enum { NOTHING, SUBMISSION, POLL };
            static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
            static int armed, held;

            void hold_arm(int call) {
                pthread_mutex_lock(&mutex);
                armed = call;
                pthread_mutex_unlock(&mutex);
            }
            int hold_reached(void) {
                pthread_mutex_lock(&mutex);
                int reached = held != NOTHING;
                pthread_mutex_unlock(&mutex);
                return reached;
            }
            void hold_release(void) {
                pthread_mutex_lock(&mutex);
                armed = held = NOTHING;
                pthread_cond_broadcast(&released);
                pthread_mutex_unlock(&mutex);
            }
            static void pass(int call) {
                pthread_mutex_lock(&mutex);
                int first = call != NOTHING && call == armed;
                if (first) {
                    held = armed;
                    armed = NOTHING;
                }
                while (held == SUBMISSION || (first && held == POLL)) pthread_cond_wait(&released, &mutex);
                pthread_mutex_unlock(&mutex);
            }

            WGPUSubmissionIndex wgpuQueueSubmitForIndex(WGPUQueue queue, size_t count, WGPUCommandBuffer const *commands) {
                static WGPUSubmissionIndex (*real)(WGPUQueue, size_t, WGPUCommandBuffer const *);
                if (!real) real = dlsym(RTLD_NEXT, "wgpuQueueSubmitForIndex");
                pass(SUBMISSION);
                return real(queue, count, commands);
            }
            void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data, size_t size) {
                static void (*real)(WGPUQueue, WGPUBuffer, uint64_t, const void *, size_t);
                if (!real) real = dlsym(RTLD_NEXT, "wgpuQueueWriteBuffer");
                pass(NOTHING);
                real(queue, buffer, offset, data, size);
            }
            WGPUBool wgpuDevicePoll(WGPUDevice device, WGPUBool wait, WGPUSubmissionIndex const *index) {
                static WGPUBool (*real)(WGPUDevice, WGPUBool, WGPUSubmissionIndex const *);
                if (!real) real = dlsym(RTLD_NEXT, "wgpuDevicePoll");
                pass(POLL);
                return real(device, wait, index);
            }
            """;

    private final Arena arena = Arena.ofShared();
    private final SymbolLookup lookup =
            SymbolLookup.libraryLookup(Path.of(System.getProperty("devicearena.wgpu.library")), arena);
    private final MethodHandle arm = function("hold_arm", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    private final MethodHandle reached = function("hold_reached", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    private final MethodHandle release = function("hold_release", FunctionDescriptor.ofVoid());

    /** Compiles the library; it takes every function that it does not have from wgpu-native. */
    static Path compile(Path folder, Path wgpuNative) throws IOException, InterruptedException {
        return CCompiler.library(
                Files.createDirectories(folder.resolve("held")),
                "libheld.so",
                SOURCE,
                List.of(
                        "-I" + HEADERS,
                        "-Wl,--no-as-needed", // nothing here calls it by name
                        wgpuNative.toAbsolutePath().toString(),
                        "-Wl,-rpath," + wgpuNative.toAbsolutePath().getParent(),
                        "-ldl"));
    }

    private MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker()
                .downcallHandle(
                        lookup.find(name).orElseThrow(() -> new AssertionError(name + " is not in the library")), type);
    }

    /** Holds the next submission. */
    void holdSubmission() throws Throwable {
        arm.invokeExact(1);
    }

    /** Holds the next poll, and no other. */
    void holdPoll() throws Throwable {
        arm.invokeExact(2);
    }

    /** Waits until a call is held. */
    void awaitHeld() throws Throwable {
        while ((int) reached.invokeExact() == 0) {
            Thread.onSpinWait();
        }
    }

    /** Lets the call, and all that wait for it, continue. */
    void release() throws Throwable {
        release.invokeExact();
    }

    @Override
    public void close() {
        arena.close();
    }
}
