package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.KernelSourceException;

/** A source under its label, for messages. Threads: immutable. */
record KernelText(String label, String wgsl) {
    static KernelText of(KernelSource source) {
        return new KernelText(source.label(), source.wgsl());
    }

    /** Makes the exception for an index of the source. */
    KernelSourceException error(int index, String what) {
        SourcePosition position = SourcePosition.of(wgsl, index);
        return new KernelSourceException(
                "kernel '" + label + "', " + position + ": " + what, position.line(), position.column());
    }
}
