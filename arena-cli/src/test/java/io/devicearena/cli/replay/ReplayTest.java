package io.devicearena.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.discovery.DeviceArenas;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A replay finds the bytes that a wrong plan overwrites. */
class ReplayTest {
    private static final NodeId A = NodeId.of(1);
    private static final NodeId B = NodeId.of(2);

    private final StringWriter err = new StringWriter();

    private Replay.Outcome replay(long offsetOfB, List<ReplayValue> values, boolean shown) {
        MemoryPlan plan =
                new MemoryPlan(64, Map.of(A, new BufferSlot(0, 16), B, new BufferSlot(offsetOfB, 16)), List.of(A, B));
        try (DeviceArena arena = DeviceArenas.open(plan)) {
            return new Replay(arena, values, 1, new ProgressLine(new PrintWriter(err), shown)).run();
        }
    }

    private static List<ReplayValue> together() {
        return List.of(new ReplayValue(A, 16, 0, 2, A, 0), new ReplayValue(B, 16, 1, 3, B, 0));
    }

    @Test
    void separateSlotsAreVerified() {
        assertThat(replay(16, together(), false).verifiedBytes()).isEqualTo(32);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void sharedByteOfLiveValuesIsFound() {
        assertThatThrownBy(() -> replay(15, together(), false))
                .isInstanceOf(VerificationException.class)
                .hasMessageStartingWith("node 1: expected byte 15 of its slot at offset 0 to be 0x");
    }

    @Test
    void slotMayBeReusedLater() {
        List<ReplayValue> inTurn = List.of(new ReplayValue(A, 16, 0, 1, A, 0), new ReplayValue(B, 16, 1, 2, B, 0));
        assertThat(replay(0, inTurn, false).verifiedBytes()).isEqualTo(32);
    }

    @Test
    void viewMustShowItsSource() {
        List<ReplayValue> right = List.of(new ReplayValue(A, 16, 0, 3, A, 0), new ReplayValue(B, 8, 1, 1, A, 4));
        assertThat(replay(4, right, false).verifiedBytes()).isEqualTo(24);
        assertThatThrownBy(() -> replay(5, right, false)).isInstanceOf(VerificationException.class);
    }
}
