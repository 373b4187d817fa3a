package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ReadBatchTest {
    private static final NodeId NODE = NodeId.of(1);

    @Test
    void regionsKeepTheirOrder_builtBatchDoesNotGrow() {
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        ReadBatch.Builder builder =
                ReadBatch.builder().output(NODE, DType.F16, memory).bytes(5, memory);
        ReadBatch batch = builder.build();
        builder.bytes(6, memory);
        assertThat(batch.regions())
                .containsExactly(new ReadBatch.Output(NODE, DType.F16, memory), new ReadBatch.Bytes(5, memory));
        assertThat(builder.build().regions()).hasSize(3);
    }

    @Test
    void arrayDestinationIsNotCopied() {
        float[] floats = new float[3];
        ReadBatch.Region region = ReadBatch.builder()
                .output(NODE, DType.F32, floats)
                .build()
                .regions()
                .getFirst();
        assertThat(region.destination().heapBase()).containsSame(floats);
        assertThat(region.destination().byteSize()).isEqualTo(12);
    }

    @Test
    void invalidRegionsAreRefusedWhenTheyAreAdded() {
        ReadBatch.Builder builder = ReadBatch.builder();
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        String readOnly =
                "destination: expected writable memory, got a read-only segment of 8 bytes; pass memory of your own";
        assertThatThrownBy(() -> builder.output(NODE, DType.I8, eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "dtype: expected f32, f16 or bf16, got i8; read other types with elements(node, dtype, destination)");
        assertThatThrownBy(() -> builder.output(NODE, DType.F32, eight.asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(readOnly);
        assertThatThrownBy(() -> builder.output(NODE, DType.F32, eight.asSlice(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("destination: expected a multiple of 4 bytes, got 7; pass whole elements");
        assertThatThrownBy(() -> builder.bytes(-1, eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offset: expected 0 or more bytes, got -1");
        assertThatThrownBy(() -> builder.bytes(0, eight.asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(readOnly);
        assertThat(builder.build().regions()).isEmpty();
    }
}
