package io.devicearena.cli.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.cli.ArenaCli;
import io.devicearena.plan.InvalidPlanException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ErrorReporterTest {
    private final StringWriter err = new StringWriter();
    private final CommandLine command = ArenaCli.commandLine().setErr(new PrintWriter(err));

    @Test
    void invalidPlanIsAFailure() {
        assertThat(ErrorReporter.failed(new InvalidPlanException("node 1 and node 2 share bytes"), command, null))
                .isEqualTo(1);
        assertThat(err)
                .hasToString("arena: InvalidPlanException: node 1 and node 2 share bytes" + System.lineSeparator());
    }

    @Test
    void illegalArgumentIsWrongUsage() {
        assertThat(ErrorReporter.failed(
                        new IllegalArgumentException("alignment: expected a power of two"), command, null))
                .isEqualTo(2);
        assertThat(err).hasToString("arena: alignment: expected a power of two" + System.lineSeparator());
    }

    @Test
    void memoryThatADeviceRefuses_isNotTheHeaps() {
        OutOfMemoryError refused = new OutOfMemoryError("Unable to allocate 99 bytes");
        assertThat(ErrorReporter.failed(
                        new ArenaOutOfMemoryException("arena: the system refused 99 bytes", refused), command, null))
                .isEqualTo(1);
        assertThat(err)
                .hasToString("arena: ArenaOutOfMemoryException: arena: the system refused 99 bytes"
                        + System.lineSeparator());
    }
}
