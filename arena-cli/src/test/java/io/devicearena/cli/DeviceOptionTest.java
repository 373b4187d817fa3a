package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.devicearena.ArenaDevice;
import io.devicearena.cli.testing.Cli;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that does not exist is refused by every command, before it reads or writes a file. */
class DeviceOptionTest {
    @TempDir
    Path folder;

    private static String[] words(String command, String last) {
        return Stream.concat(Stream.of(command.split(" ")), Stream.of(last)).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan /nonexistent/x.csv",
                "plan /nonexistent/x.graph.json /nonexistent/y.graph.json",
                "run /nonexistent/x.csv",
                "run --out /nonexistent/y.csv",
                "load /nonexistent/x.gguf"
            })
    void unknownDeviceIsRefusedFirst(String command) {
        for (String device : new String[] {"99", "99999999999", "no such name"}) {
            Cli.Result result = Cli.run(words(command + " --provider cpu --device", device));
            assertThat(result.err())
                    .startsWith("arena: provider 'cpu' with a device of ")
                    .contains(" is not available. Providers found: | ", "cpu: available with 0 'host memory'")
                    .hasLineCount(1);
            assertThat(result.exitCode()).isEqualTo(2);
        }
        Cli.Result result = Cli.run(words(command + " --device", "99"));
        assertThat(result.err()).startsWith("arena: no provider with a device of index 99 is available. ");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void providersRefusesAnUnknownDevice() {
        Cli.Result result = Cli.run("providers", "--provider", "cpu", "--device", "99");
        assertThat(result.err())
                .isEqualTo("arena: --device: expected one of cpu 0 'host memory', got a device of index 99"
                        + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void providersListsTheChosenDeviceOnly() {
        Cli.Result result = Cli.run("providers", "--device", "host mem");
        assertThat(result.out())
                .startsWith("cpu: available" + System.lineSeparator())
                .doesNotContain("wgpu");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void aNumberThatIsNoIndexIsPartOfAName() {
        ArenaDevice numbered = DeviceArenas.providers().stream()
                .map(ProviderReport::availability)
                .filter(Availability.Ready.class::isInstance)
                .flatMap(ready -> ((Availability.Ready) ready).devices().stream())
                .filter(device -> device.name().matches(".*\\d{3}.*"))
                .findFirst()
                .orElseGet(() -> abort("needs a device with a number in its name"));
        String number = numbered.name().replaceFirst(".*?(\\d{3,}).*", "$1");
        assertThat(Cli.run("providers", "--device", number).out())
                .startsWith(numbered.provider() + ": available" + System.lineSeparator())
                .contains(": " + numbered.name());
    }

    @Test
    void planUsesTheLimitsOfTheDevice() throws IOException {
        Path csv = Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\n1,0,2,65\n");
        assertThat(Cli.run("plan", csv.toString(), "--json").json()).containsEntry("arenaBytes", "65");
        assertThat(Cli.run("plan", csv.toString(), "--json", "--device", "host memory")
                        .json())
                .containsEntry("arenaBytes", "128");
    }
}
