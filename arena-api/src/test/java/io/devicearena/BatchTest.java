package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final NodeId NODE = NodeId.of(1);

    @Test
    void regionsKeepTheirOrder_builtBatchDoesNotGrow() {
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        Batch.Builder builder = Batch.builder().floats(NODE, DType.F16, memory).bytes(5, memory);
        Batch batch = builder.build();
        builder.bytes(6, memory);
        assertThat(batch.regions())
                .containsExactly(new Batch.Floats(NODE, DType.F16, memory), new Batch.Bytes(5, memory));
        assertThat(builder.build().regions()).hasSize(3);
    }

    @Test
    void arrayIsNotCopied() {
        float[] floats = new float[3];
        Batch.Region region = Batch.builder()
                .floats(NODE, DType.F32, floats)
                .build()
                .regions()
                .getFirst();
        assertThat(region.memory().heapBase()).containsSame(floats);
        assertThat(region.memory().byteSize()).isEqualTo(12);
    }

    @Test
    void invalidRegionsAreRefusedWhenTheyAreAdded() {
        Batch.Builder builder = Batch.builder();
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        assertThatThrownBy(() -> builder.floats(NODE, DType.I8, eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "dtype: expected f32, f16 or bf16, got i8; move other types with elements(node, dtype, memory)");
        assertThatThrownBy(() -> builder.floats(NODE, DType.F32, eight.asSlice(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("memory: expected a multiple of 4 bytes, got 7; pass whole elements");
        assertThatThrownBy(() -> builder.bytes(-1, eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offset: expected 0 or more bytes, got -1");
        assertThat(builder.build().regions()).isEmpty();
    }
}
