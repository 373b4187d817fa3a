package io.devicearena.weights.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements against those that the Python package gguf 0.19 decodes from the same bytes. */
class TensorTypeTest {
    private static final int BLOCKS = 64;

    /** Bytes that every language makes alike; the halves of scales stay finite. */
    private static byte[] blocks(TensorType type, int... scales) {
        byte[] bytes = new byte[BLOCKS * type.blockBytes()];
        int state = 12345;
        for (int i = 0; i < bytes.length; i++) {
            state = state * 1103515245 + 12345;
            bytes[i] = (byte) (state >>> 16);
        }
        for (int block = 0; block < BLOCKS; block++) {
            for (int scale : scales) {
                bytes[block * type.blockBytes() + scale + 1] &= 0x3b;
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "Q4_0, 0, -1, e38eeff0", "Q4_1, 0, 2, 7796cb23", "Q5_0, 0, -1, e7fe57df", "Q5_1, 0, 2, 50c73d93",
        "Q8_0, 0, -1, 27bd0886", "Q4_K, 0, 2, ed7d1681", "Q5_K, 0, 2, 49e2b98", "Q6_K, 208, -1, 32c54220",
    })
    void decode_randomBlocks_equalsTheReference(TensorType type, int scale, int minimum, String crc) {
        byte[] blocks = minimum < 0 ? blocks(type, scale) : blocks(type, scale, minimum);
        float[] floats = new float[BLOCKS * type.blockElements()];
        type.decode(MemorySegment.ofArray(blocks), 0, floats.length, floats, 0);
        ByteBuffer bytes = ByteBuffer.allocate(floats.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(floats);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        assertThat(Long.toHexString(sum.getValue())).isEqualTo(crc);
    }

    @Test
    void decode_floats_readsEachAlone() {
        byte[] bytes = {9, 0, 0x3c, 0, (byte) 0xc0};
        float[] floats = new float[4];

        TensorType.F16.decode(MemorySegment.ofArray(bytes), 1, 2, floats, 1);

        assertThat(floats).containsExactly(0, 1, -2, 0);
    }

    @Test
    void decode_typesThatAreNotDecoded_areRefused() {
        assertThat(TensorType.I32.isDecoded()).isFalse();
        assertThat(TensorType.BF16.isDecoded()).isTrue();
        assertThatThrownBy(() -> TensorType.IQ2_XS.decode(MemorySegment.NULL, 0, 0, new float[0], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("type: expected one that is decoded, got IQ2_XS");
    }

    @Test
    void rowBytes_partOfABlock_isRefused() {
        assertThatThrownBy(() -> TensorType.Q8_0.rowBytes(31))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected rows of whole blocks of 32 elements, as Q8_0 has them, got rows of 31");
    }
}
