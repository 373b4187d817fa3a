package io.devicearena.cli.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryErrorTextTest {
    private static String text(String why) {
        return MemoryErrorText.of(new OutOfMemoryError(why), 1 << 30);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Java heap space",
                "Java heap space: failed reallocation of scalar replaced objects",
                "GC overhead limit exceeded"
            })
    void fullHeap_takesALargerOne(String why) {
        assertThat(text(why))
                .isEqualTo("memory: expected the work to fit a heap of 1.00 GiB (1,073,741,824 bytes), got more; allow"
                        + " more, for example with JAVA_TOOL_OPTIONS=-Xmx8g, or plan a smaller input");
    }

    @Test
    void longArray_takesASmallerInput() {
        String expected = "memory: expected arrays of less than 2 GiB, got a longer one; plan a smaller input";
        assertThat(text("Requested array size exceeds VM limit")).isEqualTo(expected);
        assertThat(text("Required length exceeds implementation limit")).isEqualTo(expected);
        assertThat(text("Required array length 2147483639 + 9 is too large")).isEqualTo(expected);
        assertThat(MemoryErrorText.of(new OutOfMemoryError(), 1)).isEqualTo(expected);
    }

    @Test
    void thread_takesASmallerHeap() {
        assertThat(text("unable to create native thread: possibly out of memory or process/resource limits reached"))
                .isEqualTo("threads: expected the system to start one more, got 'unable to create native thread:"
                        + " possibly out of memory or process/resource limits reached'; allow more processes (ulimit -u,"
                        + " or the pids limit of the container) or more memory, or use a smaller heap, for example with"
                        + " JAVA_TOOL_OPTIONS=-Xmx512m");
    }

    @ParameterizedTest
    @CsvSource({"Metaspace, -XX:MaxMetaspaceSize", "Compressed class space, -XX:CompressedClassSpaceSize"})
    void classes_takeTheirOwnOption(String why, String option) {
        assertThat(text(why))
                .isEqualTo("memory of classes: expected the classes to fit, got '" + why + "'; allow more with "
                        + option + " in JAVA_TOOL_OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Direct buffer memory",
                "Cannot reserve 1048576 bytes of direct buffer memory (allocated: 8192, limit: 65536)"
            })
    void directBuffers_takeTheirOwnOption(String why) {
        assertThat(text(why))
                .isEqualTo("direct memory: expected the buffers to fit, got '" + why
                        + "'; allow more with -XX:MaxDirectMemorySize in JAVA_TOOL_OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Map failed", "Unable to allocate 65536 bytes", "Out of swap space?"})
    void memoryOfTheSystem_takesASmallerHeap(String why) {
        assertThat(text(why))
                .isEqualTo("memory: expected more memory of the system outside the heap, got '" + why
                        + "'; end other programs, allow this one more (ulimit -v, or the limit of the container), or use"
                        + " a smaller heap, for example with JAVA_TOOL_OPTIONS=-Xmx512m");
    }
}
