package io.devicearena.wgpu.internal.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UsesTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final Uses uses = new Uses(freed::incrementAndGet);

    @Test
    void close_withoutOtherUsers_freesOnce() {
        uses.close();
        uses.close();
        assertThat(freed).hasValue(1);
        assertThat(uses.isClosed()).isTrue();
        assertThat(uses.acquire()).isFalse();
    }

    @Test
    void close_withOtherUsers_theLastOneFrees() {
        assertThat(uses.acquire()).isTrue();
        assertThat(uses.acquire()).isTrue();
        assertThat(uses.isShared()).isTrue();
        uses.close();
        assertThat(uses.acquire()).isFalse();
        uses.release();
        assertThat(freed).hasValue(0);
        uses.release();
        assertThat(freed).hasValue(1);
        uses.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void release_ofTheOwner_freesWithoutClose() {
        assertThat(uses.isShared()).isFalse();
        uses.release();
        assertThat(freed).hasValue(1);
        assertThat(uses.isClosed()).isFalse();
        assertThat(uses.acquire()).isFalse();
    }
}
