package io.devicearena.wgpu.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.ffi.WGPUBufferMapCallbackInfo;
import io.devicearena.wgpu.ffi.WGPUQueueWorkDoneCallbackInfo;
import org.junit.jupiter.api.Test;

/** One struct carries the callback of a mapping and that of work done. */
class CallbackSlotTest {
    @Test
    void info_ofMappingAndOfWorkDone_hasOneLayout() {
        assertThat(WGPUBufferMapCallbackInfo.layout().memberLayouts())
                .isEqualTo(WGPUQueueWorkDoneCallbackInfo.layout().memberLayouts());
    }
}
