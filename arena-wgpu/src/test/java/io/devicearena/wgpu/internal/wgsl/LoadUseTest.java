package io.devicearena.wgpu.internal.wgsl;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.kernel.KernelSource;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which uses of a binding are reads. */
class LoadUseTest {
    private static Set<String> read(String statement) {
        return LoadUse.of(
                WgslModule.of(KernelSource.of(
                        "test",
                        "@compute @workgroup_size(1) fn main() { " + statement + " } fn other() { let x = out; }")),
                Set.of("main"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "out[i] = 1.0;",
                "if (a) { out[f(i)[2]].x = b; }",
                "for (out[0] = 1; a < 2; out[1] = 2) { }",
                "let n = arrayLength(&out);",
                "out.rows[i].y /* = out */ = a;",
            })
    void whatIsOnlyAssigned_isNotRead(String statement) {
        assertThat(read(statement)).doesNotContain("out");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "out[i] += 1.0;",
                "a = out[i];",
                "if (out[i] == 1) { }",
                "if (out[i] >= b) { }",
                "a[out[0]] = 1;",
                "out[out[0]] = 1;",
                "let p = &out[i]; *p = 1;",
                "atomicAdd(&out[0], 1);",
                "out[i]++;",
            })
    void otherUses_areReads(String statement) {
        assertThat(read(statement)).contains("out");
    }
}
