package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.InvalidPlanException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FaultsTest {
    private final StringWriter err = new StringWriter();
    private final CommandLine command = ArenaCli.commandLine().setErr(new PrintWriter(err));

    @Test
    void aPlanThatTheValidatorRefusesIsAFailureOfOurs() {
        assertThat(Faults.failed(new InvalidPlanException("node 1 and node 2 share bytes"), command, null))
                .isEqualTo(1);
        assertThat(err)
                .hasToString("arena: InvalidPlanException: node 1 and node 2 share bytes" + System.lineSeparator());
    }

    @Test
    void anArgumentIsTheCallersToMend() {
        assertThat(Faults.failed(new IllegalArgumentException("alignment: expected a power of two"), command, null))
                .isEqualTo(2);
        assertThat(err).hasToString("arena: alignment: expected a power of two" + System.lineSeparator());
    }
}
