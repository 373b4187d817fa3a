package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NodeIdTest {
    @Test
    void idsWithTheSameNumberAreEqual() {
        NodeId id = NodeId.of(1L << 40);

        assertThat(id).isEqualTo(new NodeId(1L << 40)).hasSameHashCodeAs(new NodeId(1L << 40));
        assertThat(id).isNotEqualTo(NodeId.of(0)).isNotEqualTo("node 1099511627776");
    }

    @Test
    void idsAreOrderedByNumber() {
        assertThat(NodeId.of(9)).isLessThan(NodeId.of(10)).isEqualByComparingTo(NodeId.of(9));
        assertThat(NodeId.of(Long.MAX_VALUE)).isGreaterThan(NodeId.of(0));
    }

    @Test
    void textNamesTheNode() {
        assertThat(NodeId.of(17)).hasToString("node 17");
    }

    @Test
    void negativeIdIsRefused() {
        assertThatThrownBy(() -> NodeId.of(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node id: expected 0 or more, got -1");
    }
}
