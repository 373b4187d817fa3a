package io.devicearena.wgpu.internal.loading;

import io.devicearena.wgpu.ffi.WgpuNative;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that loads the library from several threads, and prints the result and the version that the bindings
 * return.
 */
final class LoadMain {
    private LoadMain() {}

    public static void main(String... arguments) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        Set<LoadResult> answers;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Callable<LoadResult> load = WgpuLibrary::load;
            answers = threads.invokeAll(Stream.generate(() -> load).limit(8).toList()).stream()
                    .map(Future::resultNow)
                    .collect(Collectors.toSet());
        }
        answers.forEach(answer -> {
            switch (answer) {
                case LoadResult.Loaded loaded -> {
                    out.println("loaded " + loaded.version() + " from " + loaded.place());
                    out.println(loaded.file());
                    out.println("the bindings say " + new LibraryVersion(WgpuNative.wgpuGetVersion()));
                }
                case LoadResult.Failed failed -> {
                    out.println(failed.reason());
                    out.println(failed.remedy());
                }
            }
        });
    }
}
