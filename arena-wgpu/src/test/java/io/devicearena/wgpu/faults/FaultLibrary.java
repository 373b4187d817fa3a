package io.devicearena.wgpu.faults;

import io.devicearena.wgpu.testing.CCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A library between the bindings and wgpu-native. It passes every call on, and lets one of them fail when a test asks
 * for it. It is written from the declarations in the bindings and compiled for each run of the tests.
 */
final class FaultLibrary {
    /** Why a call cannot fail that returns nothing, and after which the library reports no error. */
    private static final String NO_RESULT = "it has no result";

    static final List<Fault.Call> CALLS = List.of(
            new Fault.Call("wgpuCreateInstance", Fault.NOTHING),
            new Fault.Call("wgpuInstanceEnumerateAdapters", Fault.NOTHING),
            new Fault.Call("wgpuAdapterGetInfo", Fault.STATUS),
            new Fault.Call("wgpuAdapterGetLimits", Fault.STATUS),
            new Fault.Call("wgpuAdapterRequestDevice", Fault.CALLS_BACK),
            new Fault.Call("wgpuDeviceCreateBuffer", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateBindGroupLayout", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreatePipelineLayout", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateShaderModuleTrusted", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateComputePipeline", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateBindGroup", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateQuerySet", Fault.REPORTS),
            new Fault.Call("wgpuDeviceCreateCommandEncoder", Fault.REPORTS),
            new Fault.Call("wgpuCommandEncoderBeginComputePass", Fault.LATER),
            new Fault.Call("wgpuCommandEncoderCopyBufferToBuffer", Fault.LATER),
            new Fault.Call("wgpuCommandEncoderResolveQuerySet", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderSetPipeline", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderSetBindGroup", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderDispatchWorkgroups", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderPushDebugGroup", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderPopDebugGroup", Fault.LATER),
            new Fault.Call("wgpuComputePassEncoderEnd", Fault.LATER),
            new Fault.Call("wgpuCommandEncoderFinish", Fault.FINISHES),
            new Fault.Call("wgpuQueueWriteBuffer", Fault.SKIPS),
            new Fault.Call("wgpuQueueOnSubmittedWorkDone", Fault.CALLS_BACK),
            new Fault.Call("wgpuBufferMapAsync", Fault.CALLS_BACK),
            new Fault.Call("wgpuBufferGetMappedRange", Fault.NOTHING),
            new Fault.Call("wgpuBufferGetConstMappedRange", Fault.NOTHING),
            new Fault.Call("wgpuBufferUnmap", Fault.REPORTS),
            new Fault.Call("wgpuDevicePoll", Fault.REPORTS),
            new Fault.Call("wgpuAdapterRequestDevice", Fault.GIVES_UP),
            new Fault.Call("wgpuBufferMapAsync", Fault.GIVES_UP),
            new Fault.Call("wgpuQueueOnSubmittedWorkDone", Fault.GIVES_UP));

    /** The calls that cannot fail here, each with the reason. */
    static final Map<String, String> UNFAILING = Map.ofEntries(
            Map.entry("wgpuQueueSubmitForIndex", "the library ends the process where a submission fails"),
            Map.entry("wgpuDeviceGetQueue", "each device has its queue from the start"),
            Map.entry("wgpuAdapterHasFeature", "yes and no are both right answers"),
            Map.entry("wgpuQueueGetTimestampPeriod", "each number is a right answer"),
            Map.entry("wgpuGetVersion", "each number is a version; tests of loading refuse those of other libraries"),
            Map.entry("wgpuInstanceProcessEvents", NO_RESULT),
            Map.entry("wgpuSetLogCallback", NO_RESULT),
            Map.entry("wgpuSetLogLevel", NO_RESULT),
            Map.entry("wgpuAdapterInfoFreeMembers", NO_RESULT),
            Map.entry("wgpuBufferDestroy", NO_RESULT),
            Map.entry("wgpuDeviceDestroy", NO_RESULT));

    private static final Path BINDINGS = Path.of("src/generated/java/io/devicearena/wgpu/ffi/WgpuNative.java");
    private static final Path HEADERS = Path.of("target/natives/headers").toAbsolutePath();

    /** A declaration of a function, as jextract copied it from the header. */
    private static final Pattern DECLARATION = Pattern.compile("\\* (.*?)\\b(wgpu\\w+)\\((.*)\\)$", Pattern.MULTILINE);

    private static final String PRELUDE = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdatomic.h>
            #include <string.h>
            #include "webgpu.h"
            #include "wgpu.h"

            static const char *TEXTS[] = { $texts };
            static WGPUUncapturedErrorCallbackInfo errors;
            static WGPUInstance instance;
            static WGPUDevice none;
            static atomic_int armed = -1, kind, left, reached;
            static __thread int later;

            static WGPUStringView text(void) { return (WGPUStringView){ TEXTS[kind], strlen(TEXTS[kind]) }; }
            static void report(void) {
                errors.callback(&none, WGPUErrorType_Validation, text(), errors.userdata1, errors.userdata2);
            }
            static int fails(int function) {
                if (function != armed || atomic_fetch_sub(&left, 1) != 1) return 0;
                reached = 1;
                return 1;
            }
            void fault_arm(int function, int which, int call) { kind = which; left = call; reached = 0; armed = function; }
            int fault_reached(void) { armed = -1; return reached; }
            // commands are left out: the library keeps those that are never submitted
            long fault_alive(void) {
                if (!instance) return 0;
                WGPUGlobalReport r;
                memset(&r, 0, sizeof r);
                wgpuGenerateReport(instance, &r);
                return r.hub.devices.numKeptFromUser + r.hub.buffers.numKeptFromUser + r.hub.shaderModules.numKeptFromUser
                    + r.hub.computePipelines.numKeptFromUser + r.hub.bindGroups.numKeptFromUser
                    + r.hub.querySets.numKeptFromUser + r.hub.pipelineLayouts.numKeptFromUser;
            }

            """;

    private FaultLibrary() {}

    /** Compiles the library; it takes every function that it does not have from wgpu-native. */
    static Path compile(Path folder, Path wgpuNative) throws IOException, InterruptedException {
        Map<String, String[]> declared = declarations();
        StringBuilder source = new StringBuilder(PRELUDE.replace(
                "$texts",
                Arrays.stream(Fault.Kind.values())
                        .map(kind -> '"' + kind.text() + '"')
                        .collect(Collectors.joining(", "))));
        for (int i = 0; i < CALLS.size(); i++) {
            Fault.Call call = CALLS.get(i);
            if (call.fault() == Fault.GIVES_UP) {
                continue; // the function stands where it calls back with an error
            }
            String[] declaration = declared.get(call.function());
            if (declaration == null) {
                throw new AssertionError(call.function() + ": expected a declaration in the bindings, found none");
            }
            source.append(function(i, call, declaration[0].strip(), declaration[1]));
        }
        Path sources = Files.createDirectories(folder.resolve("shim"));
        return CCompiler.library(
                sources,
                "libfaults.so",
                source.toString(),
                List.of(
                        "-I" + HEADERS,
                        wgpuNative.toAbsolutePath().toString(),
                        "-Wl,-rpath," + wgpuNative.toAbsolutePath().getParent(),
                        "-ldl"));
    }

    private static Map<String, String[]> declarations() throws IOException {
        Map<String, String[]> found = new LinkedHashMap<>();
        Matcher matcher = DECLARATION.matcher(Files.readString(BINDINGS));
        while (matcher.find()) {
            found.put(matcher.group(2), new String[] {matcher.group(1), matcher.group(3)});
        }
        return found;
    }

    private static String function(int index, Fault.Call call, String returned, String parameters) {
        String name = call.function();
        String arguments = Arrays.stream(parameters.split(","))
                .map(parameter -> parameter.replaceAll(".*?(\\w+)\\s*$", "$1"))
                .collect(Collectors.joining(", "));
        String real = "real(" + arguments + ")";
        boolean isVoid = returned.equals("void");
        String body = switch (call.fault()) {
            case REPORTS ->
                isVoid
                        ? real + "; if (fails(I)) report();"
                        : returned + " result = " + real + "; if (fails(I)) report(); return result;";
            case FINISHES ->
                "int failed = fails(I) | later; later = 0; if (failed) wgpuCommandEncoderPopDebugGroup("
                        + arguments.replaceAll(",.*", "") + "); " + returned + " result = " + real
                        + "; if (failed) report(); return result;";
            case SKIPS -> "if (fails(I)) report(); else " + real + ";";
            case LATER ->
                isVoid
                        ? real + "; if (fails(I)) later = 1;"
                        : returned + " result = " + real + "; if (fails(I)) later = 1; return result;";
            case NOTHING ->
                "if (fails(I)) return 0; " + returned + " result = " + real + "; " + kept(name) + "return result;";
            case STATUS -> "if (fails(I)) return WGPUStatus_Error; return " + real + ";";
            case CALLS_BACK -> callback(name) + "return " + real + ";";
            case GIVES_UP -> throw new AssertionError(name + " is one function, not two");
        };
        return returned + " " + name + "(" + parameters + ") {\n    static " + returned + " (*real)(" + parameters
                + ");\n    if (!real) real = dlsym(RTLD_NEXT, \"" + name + "\");\n    "
                + body.replace("(I)", "(" + index + ")") + "\n}\n\n";
    }

    private static String kept(String function) {
        return function.equals("wgpuCreateInstance") ? "instance = result; " : "";
    }

    private static String callback(String function) {
        int givenUp = CALLS.indexOf(new Fault.Call(function, Fault.GIVES_UP));
        return switch (function) {
            case "wgpuAdapterRequestDevice" ->
                "errors = descriptor->uncapturedErrorCallbackInfo; "
                        + answer("(I)", "", "WGPURequestDeviceStatus_Error, NULL, text(),")
                        + answer("(" + givenUp + ")", "", "WGPURequestDeviceStatus_CallbackCancelled, NULL, text(),");
            case "wgpuBufferMapAsync" ->
                answer("(I)", "report(); ", "WGPUMapAsyncStatus_Error, text(),")
                        + answer("(" + givenUp + ")", "", "WGPUMapAsyncStatus_Aborted, text(),");
            default ->
                answer("(I)", "report(); ", "WGPUQueueWorkDoneStatus_Error, text(),")
                        + answer("(" + givenUp + ")", "", "WGPUQueueWorkDoneStatus_CallbackCancelled, text(),");
        };
    }

    /** The lines that answer a call instead of the library. */
    private static String answer(String call, String before, String firstArguments) {
        return "if (fails" + call + ") { " + before + "callbackInfo.callback(" + firstArguments
                + " callbackInfo.userdata1, callbackInfo.userdata2); return (WGPUFuture){ 0 }; } ";
    }
}
