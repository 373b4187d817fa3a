package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;

/** Says how a write treats the f16 mirror of its value. Threads: safe for any thread. */
@FunctionalInterface
public interface MirrorRule {
    /** What a write does with the mirror. */
    Upload.Mirror of(Span span);
}
