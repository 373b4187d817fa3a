package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LibraryVersionTest {
    @Test
    void theFourBytesAreReadAsNumbers() {
        assertThat(LibraryVersion.OF_BINDINGS).hasToString("29.0.1.1");
        assertThat(new LibraryVersion(0xff00_1080)).hasToString("255.0.16.128");
    }
}
