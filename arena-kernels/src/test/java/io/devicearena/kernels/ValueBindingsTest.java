package io.devicearena.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine's own step: out = in * factor + bias, with integers as bias. */
class ValueBindingsTest {
    private static final String WGSL = """
        @compute @workgroup_size(1)
        fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
            let i = group.x + group.y * groups.x;
            if (i < words[0]) { set_out(i, input(i) * bitcast<f32>(words[1]) + f32(bias(i))); }
        }
        """;

    private final StepTrial trial = new StepTrial();

    private record Scale(NodeId out, NodeId in, NodeId bias, int count, boolean isShared) implements KernelStep {
        @Override
        public String label() {
            return "scale";
        }

        @Override
        public List<NodeId> reads() {
            return List.of(in, bias);
        }

        @Override
        public List<NodeId> writes() {
            return List.of(out);
        }

        @Override
        public void record(StepRecorder device) {
            ValueBindings values = new ValueBindings(device)
                    .write("out", out, ValueBindings.Type.F32)
                    .read("input", in, ValueBindings.Type.F32)
                    .read("bias", bias, ValueBindings.Type.I32);
            assertThat(values.isShared("out", "input")).isEqualTo(isShared);
            assertThat(values.isShared("input", "bias")).isFalse();
            assertThatThrownBy(() -> values.isShared("out", "outs"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("values of a kernel: expected one of [out, input, bias], got 'outs'");
            assertThatThrownBy(() -> values.read("out", out, ValueBindings.Type.U32))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("values of a kernel: expected names that differ, got two 'out'");
            device.dispatch(label(), WGSL, values, new int[] {count, Float.floatToRawIntBits(0.5f)}, count);
        }

        @Override
        public Runnable bind(HostValues host) {
            return () -> {
                float[] x = host.floats(in, count);
                int[] biases = host.ints(bias, count);
                for (int i = 0; i < count; i++) {
                    x[i] = x[i] * 0.5f + biases[i];
                }
                host.setFloats(out, x);
                host.setInts(bias, biases);
            };
        }
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void dispatch_inPlaceAndNot_bindsEqualBytesOnce(Place place) {
        NodeId in = trial.floats(1, 2, 3, 4);
        NodeId bias = trial.ints(10, 20, -30, 0);
        NodeId out = trial.floats(0, 0, 0, 0);
        NodeId same = trial.view(in, 0, 16);
        trial.run(place, List.of(new Scale(out, in, bias, 4, false), new Scale(same, in, bias, 3, true)));

        assertThat(trial.floatsOf(out)).containsExactly(10.5f, 21, -28.5f, 2);
        assertThat(trial.floatsOf(in)).containsExactly(10.5f, 21, -28.5f, 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 11})
    void dispatch_moreWorkgroupsThanAnAxisHas_foldsThem(int most) {
        trial.limit("maxWorkgroups", most);
        NodeId in = trial.floats(new float[11]);
        NodeId bias = trial.ints(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        NodeId out = trial.floats(new float[11]);
        trial.run(Place.SUBGROUPS, List.of(new Scale(out, in, bias, 11, false)));
        assertThat(trial.floatsOf(out)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }
}
