package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceKind;
import io.devicearena.DeviceSelector;
import io.devicearena.testing.FakeProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProviderChoiceTest {
    private static final String REPORT = "report this to the provider's author; a probe must not throw";

    private static ArenaDevice choose(Optional<String> name, Optional<DeviceSelector> device, FakeProvider... all) {
        return choice(all).choose(name, device).device();
    }

    private static ArenaDevice best(FakeProvider... all) {
        return choose(Optional.empty(), Optional.empty(), all);
    }

    private static ProviderChoice choice(FakeProvider... all) {
        return new ProviderChoice(Stream.of(all).map(Candidate::of).toList());
    }

    @Test
    void gpuBeforeHostBeforeEmulatedGpu() {
        FakeProvider cpu = FakeProvider.ready("cpu", DeviceKind.HOST);
        FakeProvider gpus =
                FakeProvider.ready("gpu", DeviceKind.EMULATED_GPU, DeviceKind.INTEGRATED_GPU, DeviceKind.DISCRETE_GPU);
        assertThat(best(cpu, gpus).kind()).isEqualTo(DeviceKind.DISCRETE_GPU);
        FakeProvider emulated = FakeProvider.ready("gpu", DeviceKind.EMULATED_GPU);
        assertThat(best(emulated, cpu).provider()).isEqualTo("cpu");
        assertThat(best(emulated, FakeProvider.missing("cpu")).provider()).isEqualTo("gpu");
    }

    @Test
    void equalDevicesOfOneProviderAreDecidedByIndex() {
        FakeProvider cpu = FakeProvider.ready("cpu", DeviceKind.HOST);
        FakeProvider gpus = FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU, DeviceKind.DISCRETE_GPU);
        assertThat(best(cpu, gpus).index()).isZero();
    }

    @Test
    void equalPrioritiesAreDecidedByTheKind() {
        FakeProvider host = FakeProvider.withPriority("a", DeviceKind.HOST, 400);
        FakeProvider gpu = FakeProvider.withPriority("b", DeviceKind.DISCRETE_GPU, 400);
        FakeProvider npu = FakeProvider.withPriority("c", DeviceKind.ACCELERATOR, 400);
        assertThat(best(host, gpu, npu).provider()).isEqualTo("b");
        assertThat(best(npu, host).provider()).isEqualTo("c");
    }

    @Test
    void equallyGoodProvidersAreRefused_inEveryOrder_untilOneIsNamed() {
        List<FakeProvider> all = new ArrayList<>(List.of(
                FakeProvider.ready("b", DeviceKind.HOST, DeviceKind.HOST),
                FakeProvider.ready("a", DeviceKind.HOST),
                FakeProvider.ready("c", DeviceKind.EMULATED_GPU)));
        for (int turn = 0; turn < 3; turn++) {
            Collections.rotate(all, 1);
            FakeProvider[] turned = all.toArray(FakeProvider[]::new);
            assertThatThrownBy(() -> best(turned))
                    .isInstanceOf(ProviderUnavailableException.class)
                    .hasMessage("providers: expected one with the best device, got several with equally good ones"
                            + " (priority 200); choose one with withProvider, the property devicearena.provider or the"
                            + " variable DEVICEARENA_PROVIDER. They are:"
                            + "\n  a: 0 'a HOST'"
                            + "\n  b: 0 'b HOST'"
                            + "\n  b: 1 'b HOST'");
            assertThat(choose(Optional.of("b"), Optional.empty(), turned).index())
                    .isZero();
        }
    }

    @Test
    void onlyTheNamedProviderIsProbed() {
        FakeProvider gpu = FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU);
        FakeProvider cpu = FakeProvider.ready("cpu", DeviceKind.HOST);
        assertThat(choose(Optional.of("cpu"), Optional.empty(), gpu, cpu).provider())
                .isEqualTo("cpu");
        assertThat(gpu.probes).isZero();
        assertThat(cpu.probes).isEqualTo(1);
    }

    @Test
    void deviceIsChosenByIndexOrPartOfItsName() {
        FakeProvider gpu = FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU, DeviceKind.INTEGRATED_GPU);
        FakeProvider cpu = FakeProvider.ready("cpu", DeviceKind.HOST);
        assertThat(choose(Optional.of("gpu"), Optional.of(new DeviceSelector.ByIndex(1)), cpu, gpu)
                        .kind())
                .isEqualTo(DeviceKind.INTEGRATED_GPU);
        assertThat(choose(Optional.empty(), Optional.of(new DeviceSelector.ByName("cpu h")), cpu, gpu)
                        .provider())
                .isEqualTo("cpu");
        assertThat(choose(Optional.empty(), Optional.of(new DeviceSelector.ByName("GPU")), cpu, gpu)
                        .kind())
                .isEqualTo(DeviceKind.DISCRETE_GPU);
    }

    @Test
    void unknownName_messageListsEveryProvider() {
        ProviderChoice choice = choice(
                FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU, DeviceKind.EMULATED_GPU),
                FakeProvider.missing("npu"),
                FakeProvider.answering("odd", () -> {
                    throw new IllegalStateException("broken");
                }),
                FakeProvider.answering("link", () -> {
                    throw new UnsatisfiedLinkError("no libgpu");
                }));
        assertThatThrownBy(() -> choice.choose(Optional.of("tpu"), Optional.empty()))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage("provider 'tpu' is not available. Providers found:"
                        + "\n  gpu: available with 0 'gpu DISCRETE_GPU', 1 'gpu EMULATED_GPU'"
                        + "\n  npu: not available, no driver; install one"
                        + "\n  odd: not available, io.devicearena.testing.FakeProvider.probe() threw java.lang.IllegalStateException: broken; "
                        + REPORT
                        + "\n  link: not available, io.devicearena.testing.FakeProvider.probe() threw java.lang.UnsatisfiedLinkError: no libgpu; "
                        + REPORT);
    }

    @Test
    void unknownDevice_messageListsDevices() {
        ProviderChoice choice = choice(FakeProvider.ready("cpu", DeviceKind.HOST));
        assertThatThrownBy(() -> choice.choose(Optional.of("cpu"), Optional.of(new DeviceSelector.ByIndex(3))))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage("provider 'cpu' with a device of index 3 is not available. Providers found:"
                        + "\n  cpu: available with 0 'cpu HOST'");
        assertThatThrownBy(() -> choice.choose(Optional.empty(), Optional.of(new DeviceSelector.ByName("RTX"))))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage("no provider with a device of name containing 'RTX' is available. Providers found:"
                        + "\n  cpu: available with 0 'cpu HOST'");
    }

    @Test
    void noProvider_messageSaysWhatToAdd() {
        ProviderChoice choice = choice();
        assertThatThrownBy(() -> choice.choose(Optional.empty(), Optional.empty()))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage(
                        "no provider is available. None was found; add one to the class path or module path, for example"
                                + " arena-cpu");
    }
}
