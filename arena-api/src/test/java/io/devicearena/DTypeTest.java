package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DTypeTest {
    @ParameterizedTest
    @EnumSource
    void parsesItsOwnLabelInAnyCase(DType type) {
        assertThat(DType.parse(type.label())).isEqualTo(type);
        assertThat(DType.parse(type.name())).isEqualTo(type);
    }

    @Test
    void unknownLabel_messageListsKnownOnes() {
        assertThatThrownBy(() -> DType.parse("f8"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dtype: expected one of f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool,"
                        + " got 'f8'");
    }

    @Test
    void onlyTheThreeFloatTypesOfAnArenaAreHostFloats() {
        assertThat(DType.values()).filteredOn(DType::isHostFloat).containsExactly(DType.F32, DType.F16, DType.BF16);
    }
}
