package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUDeviceDescriptor;
import io.devicearena.wgpu.ffi.WGPURequestDeviceCallback;
import io.devicearena.wgpu.ffi.WGPURequestDeviceCallbackInfo;
import io.devicearena.wgpu.ffi.WGPUUncapturedErrorCallbackInfo;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One request for a device: everything that the adapter offers in limits, and the features that this backend uses.
 *
 * <p>Threads: one thread at a time.
 */
final class DeviceRequest {
    private @Nullable MemorySegment device;
    private String refusal = "no answer";
    private boolean answered;

    private DeviceRequest() {}

    /**
     * Opens a device.
     *
     * @param errors receives the errors of the device
     * @return the device's handle; the caller releases it
     * @throws DeviceException if the adapter refuses
     */
    static MemorySegment send(GpuInstance instance, GpuAdapter adapter, GpuErrors errors) {
        DeviceRequest request = new DeviceRequest();
        Arena callback = Arena.ofShared();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment stub = WGPURequestDeviceCallback.allocate(
                    (status, found, message, _, _) -> request.answer(status, found, message), callback);
            MemorySegment info = call.allocate(WGPURequestDeviceCallbackInfo.layout());
            WGPURequestDeviceCallbackInfo.mode(info, WgpuNative.WGPUCallbackMode_AllowProcessEvents());
            WGPURequestDeviceCallbackInfo.callback(info, stub);
            WgpuNative.wgpuAdapterRequestDevice(call, adapter.handle, descriptor(adapter, errors, call), info);
            WgpuNative.wgpuInstanceProcessEvents(instance.handle());
        } finally {
            if (request.answered) {
                callback.close(); // without an answer the library may still call the stub, so the stub stays
            }
        }
        MemorySegment device = request.device;
        if (device == null) {
            throw new DeviceException("device '" + adapter.name() + "' did not open: wgpuAdapterRequestDevice failed: "
                    + request.refusal + "; close other programs that use it, or choose another device");
        }
        return device;
    }

    private static MemorySegment descriptor(GpuAdapter adapter, GpuErrors errors, Arena call) {
        MemorySegment descriptor = call.allocate(WGPUDeviceDescriptor.layout());
        NativeText.set(WGPUDeviceDescriptor.label(descriptor), "device arena", call);
        requireFeatures(adapter, descriptor, call);
        WGPUDeviceDescriptor.requiredLimits(descriptor, adapter.nativeLimits);
        MemorySegment uncaptured = WGPUDeviceDescriptor.uncapturedErrorCallbackInfo(descriptor);
        WGPUUncapturedErrorCallbackInfo.callback(uncaptured, GpuErrors.CALLBACK);
        WGPUUncapturedErrorCallbackInfo.userdata1(uncaptured, errors.userData());
        return descriptor;
    }

    /** Requests the features that this backend uses, as far as the adapter has them. */
    private static void requireFeatures(GpuAdapter adapter, MemorySegment descriptor, Arena call) {
        int[] present = IntStream.of(
                        WgpuNative.WGPUFeatureName_ShaderF16(),
                        WgpuNative.WGPUFeatureName_TimestampQuery(),
                        WgpuNative.WGPUNativeFeature_MappablePrimaryBuffers(),
                        WgpuNative.WGPUNativeFeature_Subgroup(),
                        WgpuNative.WGPUNativeFeature_SubgroupBarrier())
                .filter(adapter::has)
                .toArray();
        WGPUDeviceDescriptor.requiredFeatureCount(descriptor, present.length);
        WGPUDeviceDescriptor.requiredFeatures(descriptor, call.allocateFrom(ValueLayout.JAVA_INT, present));
    }

    private void answer(int status, MemorySegment found, MemorySegment message) {
        answered = true;
        if (status == WgpuNative.WGPURequestDeviceStatus_Success() && found.address() != 0) {
            device = found;
        } else {
            refusal = NativeText.of(message);
        }
    }
}
