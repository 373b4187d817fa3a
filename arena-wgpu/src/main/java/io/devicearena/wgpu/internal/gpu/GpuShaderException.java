package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import java.io.Serial;

/** The library refuses a shader or its pipeline. Threads: immutable. */
public final class GpuShaderException extends DeviceException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The library's text, with its lines. */
    private final String report;

    GpuShaderException(String message, String report) {
        super(message);
        this.report = report;
    }

    /** The library's text as it is, with line breaks. */
    public String report() {
        return report;
    }
}
