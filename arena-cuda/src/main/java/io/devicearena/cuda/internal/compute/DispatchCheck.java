package io.devicearena.cuda.internal.compute;

import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelBinding.Access;
import io.devicearena.kernel.Workgroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks a dispatch: a wrong one would end the process, or lose the device. Threads: one thread at a time. */
final class DispatchCheck {
    /** The most blocks along the second and third axis; along the first an int counts fewer than a device can. */
    private static final int MAX_GROUPS = 65_535;

    private final String subject;
    /** The bindings in the order of the parameters. */
    final List<Bound> bound = new ArrayList<>();
    /** The windows among them that the kernel only reads. */
    final List<ArenaWindow> read = new ArrayList<>();
    /** The windows that it may write. */
    final List<ArenaWindow> written = new ArrayList<>();

    private final List<Use> uses = new ArrayList<>();

    /** The bytes that one parameter points to. Threads: immutable. */
    private record Use(int parameter, String what, long begin, long end, boolean writes) {
        boolean conflictsWith(Use other) {
            return (writes || other.writes) && parameter != other.parameter && begin < other.end && other.begin < end;
        }

        @Override
        public String toString() {
            return what + " at parameter " + parameter + (writes ? ", which writes" : "");
        }
    }

    DispatchCheck(
            CudaKernels kernels,
            CompiledKernel kernel,
            Bindings bindings,
            Workgroups workgroups,
            @Nullable String label) {
        subject = label == null ? kernel.toString() : "step '" + label + "', " + kernel;
        List<KernelBinding> declared = kernel.bindings();
        Objects.requireNonNull(bindings, "bindings").forEach((group, number, _) -> {
            if (group != 0 || number >= declared.size()) {
                throw wrong("expected bindings of group 0 for its " + declared.size() + " parameters, got group "
                        + group + ", binding " + number);
            }
        });
        for (int i = 0; i < declared.size(); i++) {
            int parameter = i;
            Binding binding = bindings.at(0, i)
                    .orElseThrow(() -> wrong("expected a binding for each parameter, got none for " + parameter));
            if (!(binding instanceof Bound one) || !kernels.binds(one.owner())) {
                throw wrong("expected a binding of this arena, got one of another arena for parameter " + i);
            }
            add(kernels, kernel, i, declared.get(i).access(), one);
        }
        requireGroups("x", workgroups.x(), Integer.MAX_VALUE);
        requireGroups("y", workgroups.y(), MAX_GROUPS);
        requireGroups("z", workgroups.z(), MAX_GROUPS);
    }

    private void add(CudaKernels kernels, CompiledKernel kernel, int parameter, Access access, Bound one) {
        boolean isConstant = one instanceof Bound.Constant;
        if (isConstant != (access == Access.UNIFORM)) {
            throw wrong("expected " + (isConstant ? "a window or a buffer" : "a uniform") + " for parameter "
                    + parameter + ", " + access + ", got " + one.noun());
        }
        boolean writes = access == Access.READ_WRITE;
        if (writes && kernels.isOfWeights(one.owner())) {
            throw wrong("expected weights that other arenas use to be read only, got " + one.noun()
                    + " of them for parameter " + parameter
                    + ", which writes; write weights through the arena that holds them");
        }
        kernel.requireBytes(parameter, isConstant ? one.bytes() : Long.BYTES, subject);
        bound.add(one);
        if (one instanceof ArenaWindow window) {
            (writes ? written : read).add(window);
        }
        if (!isConstant) {
            addUses(parameter, one, writes);
        }
    }

    private void addUses(int parameter, Bound one, boolean writes) {
        List<Use> added = new ArrayList<>();
        if (one instanceof ArenaWindow window && !window.parts().isEmpty()) {
            int scale = window.isShadow() ? 2 : 1;
            for (Bound.Part part : window.parts()) {
                long begin = window.address() - window.offset() + part.bytes().offset() / scale;
                String name = window.owner().describe(part.id());
                added.add(new Use(parameter, name, begin, begin + part.bytes().size() / scale, writes));
            }
        } else {
            added.add(new Use(parameter, one.noun(), one.address(), one.address() + one.bytes(), writes));
        }
        for (Use use : added) {
            uses.stream().filter(use::conflictsWith).findFirst().ifPresent(other -> {
                throw wrong("expected bindings that share no bytes if one of them writes, got " + other + ", and " + use
                        + "; bind these bytes once, as READ_WRITE");
            });
        }
        uses.addAll(added);
    }

    private void requireGroups(String axis, int count, int most) {
        if (count < 1 || count > most) {
            throw wrong("expected 1 to " + most + " workgroups along " + axis + ", got " + count
                    + "; use more axes, or let each thread do more");
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(subject + ": " + what);
    }
}
