package io.devicearena.wgpu.internal.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {
    private final List<String> freed = new ArrayList<>();
    private final SharedObjects<String, Integer> objects = new SharedObjects<>((key, value) -> freed.add(key + value));

    @Test
    void acquire_equalKeys_makesOnceAndFreesWithTheLastUser() {
        assertThat(objects.acquire("a", () -> 1)).isEqualTo(1);
        assertThat(objects.acquire("a", () -> 2)).isEqualTo(1);
        assertThat(objects.acquire("b", () -> 3)).isEqualTo(3);
        assertThat(objects.size()).isEqualTo(2);
        objects.release("a");
        assertThat(freed).isEmpty();
        objects.release("a");
        assertThat(freed).containsExactly("a1");
        assertThat(objects.acquire("a", () -> 4)).isEqualTo(4);
    }

    @Test
    void acquire_makeThrows_leavesNothing() {
        assertThatThrownBy(() -> objects.acquire("a", () -> {
                    throw new IllegalStateException("no memory");
                }))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("no memory");
        assertThat(objects.size()).isZero();
        assertThat(freed).isEmpty();
        assertThat(objects.acquire("a", () -> 1)).isEqualTo(1);
    }

    @Test
    void close_objectsInUse_freesEachOnceAndLaterReleasesDoNothing() {
        objects.acquire("a", () -> 1);
        objects.acquire("a", () -> 1);
        objects.close();
        objects.close();
        objects.release("a");
        assertThat(freed).containsExactly("a1");
        assertThat(objects.size()).isZero();
    }

    @Test
    void release_withoutUse_isAnError() {
        assertThatThrownBy(() -> objects.release("a"))
                .isExactlyInstanceOf(AssertionError.class)
                .hasMessage("an object was released twice");
    }
}
