package io.devicearena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ArenaBenchTest {
    @Test
    void everyCommandTakesTheCommonOptions() {
        CommandLine bench = ArenaBench.commandLine();
        assertThat(bench.getCommandSpec().optionsMap()).containsKeys("--json", "--provider", "--help");
        for (CommandLine command : bench.getSubcommands().values()) {
            assertThat(command.getCommandSpec().optionsMap())
                    .as(command.getCommandName())
                    .containsKeys("--json", "--provider", "--help");
        }
    }

    @Test
    void unknownWordIsNamedInOneLine() {
        assertThat(refused("plans", "--nonsense", "cpu", "resnet", "more"))
                .isEqualTo("arena: --nonsense: expected an option of 'arena bench plans', got another one; see"
                        + " 'arena bench plans --help'");
        assertThat(refused("plans", "resnet", "more"))
                .isEqualTo("arena: expected no further argument, got 'more'; see 'arena bench plans --help'");
        assertThat(refused("kernels", "--provider", "cpu"))
                .isEqualTo("arena: --provider: expected wgpu, which runs kernels, got 'cpu'; see"
                        + " 'arena bench kernels --help'");
    }

    private static String refused(String... words) {
        StringWriter err = new StringWriter();
        int exit = ArenaBench.commandLine().setErr(new PrintWriter(err, true)).execute(words);
        assertThat(exit).isEqualTo(2);
        return err.toString().strip();
    }
}
