package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.F16Shadow;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.ChildOutput;
import io.devicearena.wgpu.testing.SilentLog;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * A program that calls every public method that can be reached from an arena, with invalid arguments, while the arena
 * is open, after it was closed, and after its device was lost. It prints each call before it makes it, and ends with an
 * error if a call throws an undocumented exception.
 */
final class HostileCalls {
    /** The state of the objects that are called. */
    enum State {
        OPEN,
        CLOSED,
        LOST
    }

    /**
     * The property with the calls of one method in one state with several hostile arguments; calls with one hostile
     * argument are added.
     */
    static final String SAMPLED = "devicearena.sampled";

    static final int USUAL_SAMPLED = 8;

    private static final Duration HANG = Duration.ofMinutes(5);

    private static final List<Class<?>> TYPES = List.of(
            DeviceArena.class,
            WgpuArena.class,
            F16Shadow.class,
            Transfer.class,
            Transfer.class,
            HostMemory.class,
            Kernels.class,
            KernelFacts.class,
            Recorder.class,
            KernelProgram.class,
            Window.class,
            KernelBuffer.class,
            ResultBuffer.class,
            Binding.class,
            Kernel.class,
            Bindings.class,
            Workgroups.class,
            KernelSource.class,
            KernelBinding.class,
            StepTime.class,
            Batch.class,
            Batch.Builder.class,
            Batch.Floats.class,
            Batch.Bytes.class,
            Batch.Elements.class,
            Batch.class,
            Batch.Builder.class,
            Batch.Floats.class,
            Batch.Elements.class,
            Batch.Bytes.class,
            ArenaOptions.class,
            WgpuHandles.class,
            WgpuDevices.class,
            WgpuDeviceArenaProvider.class,
            DeviceArenaProvider.class);

    private final State state;
    private final SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", 1));
    private HostileWorld world;
    private Witness witness;
    private long calls;
    private long methods;
    private long thrown;

    private HostileCalls(State state) {
        this.state = state;
        this.world = HostileWorld.in(state);
        this.witness = new Witness();
    }

    public static void main(String... arguments) throws ReflectiveOperationException {
        SilentLog.begin(); // each loss is a line, and they are wanted
        for (State state : State.values()) {
            HostileCalls walk = new HostileCalls(state);
            walk.callAll();
            walk.world.close();
            walk.witness.close();
            OUT.println(
                    state + ": " + walk.calls + " calls of " + walk.methods + " methods, " + walk.thrown + " threw");
        }
    }

    private void callAll() throws ReflectiveOperationException {
        for (Class<?> type : TYPES) {
            for (Executable executable : executables(type)) {
                CountDownLatch done = new CountDownLatch(1);
                ChildOutput.endAfter(HANG, done);
                callWithAll(type, executable);
                witness.requireUntouched();
                methods++;
                done.countDown();
            }
        }
    }

    /** The public methods and constructors of a type, in a fixed order. */
    private static List<Executable> executables(Class<?> type) {
        List<Executable> all = new ArrayList<>(List.of(type.getConstructors()));
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() != Object.class && !method.isSynthetic()) {
                all.add(method);
            }
        }
        all.sort(Comparator.comparing(Executable::toString));
        return all;
    }

    private void callWithAll(Class<?> type, Executable executable) throws ReflectiveOperationException {
        for (int[] choice : choices(executable.getParameterTypes())) {
            if (!world.isAsBefore()) {
                renew();
            }
            call(type, executable, choice);
        }
    }

    /**
     * Starts over after a call closed the arena. If that makes the device lost again, the witness loses its device too.
     */
    private void renew() {
        witness.requireUntouched();
        witness.close();
        world.close();
        world = HostileWorld.in(state);
        witness = new Witness();
    }

    /** Valid arguments; each hostile argument among valid ones; a sample of several hostile ones. */
    private Set<int[]> choices(Class<?>[] parameters) {
        int[] sizes = Arrays.stream(parameters)
                .mapToInt(each -> world.values(each).size())
                .toArray();
        Set<List<Integer>> seen = new LinkedHashSet<>();
        int[] choice = new int[sizes.length];
        seen.add(boxed(choice));
        for (int i = 0; i < sizes.length; i++) {
            for (int j = 1; j < sizes[i]; j++) {
                choice[i] = j;
                seen.add(boxed(choice));
            }
            choice[i] = 0;
        }
        if (sizes.length > 1) {
            int most = Integer.getInteger(SAMPLED, USUAL_SAMPLED);
            for (int i = 0; i < most; i++) {
                Arrays.setAll(choice, place -> random.nextInt(sizes[place]));
                seen.add(boxed(choice));
            }
        }
        Set<int[]> choices = new LinkedHashSet<>();
        seen.forEach(
                each -> choices.add(each.stream().mapToInt(Integer::intValue).toArray()));
        return choices;
    }

    private static List<Integer> boxed(int[] choice) {
        return Arrays.stream(choice).boxed().toList();
    }

    private void call(Class<?> type, Executable executable, int[] choice) throws ReflectiveOperationException {
        Class<?>[] parameters = executable.getParameterTypes();
        Object[] arguments = new Object[parameters.length];
        StringBuilder text = new StringBuilder(state + " " + type.getSimpleName() + "." + executable.getName() + "(");
        boolean nulls = false;
        for (int i = 0; i < choice.length; i++) {
            HostileWorld.Value value = world.values(parameters[i]).get(choice[i]);
            arguments[i] = value.value();
            nulls |= value.hasNull();
            text.append(i == 0 ? "" : ", ").append(value.label());
        }
        OUT.println(text.append(")"));
        calls++;
        try {
            Object result = invoke(type, executable, arguments);
            use(result);
        } catch (InvocationTargetException e) {
            thrown++;
            requireAllowed(Objects.requireNonNull(e.getCause()), text.toString(), nulls);
        } catch (RuntimeException e) {
            thrown++;
            requireAllowed(e, text + ", used", nulls);
        }
    }

    private Object invoke(Class<?> type, Executable executable, Object[] arguments)
            throws ReflectiveOperationException {
        if (executable instanceof Constructor<?> constructor) {
            return constructor.newInstance(arguments);
        }
        Method method = (Method) executable;
        return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : world.subject(type), arguments);
    }

    /** Uses a returned object as a caller would. */
    private static void use(Object result) {
        switch (result) {
            case DeviceArena arena -> arena.close();
            case Transfer read -> read.await(Duration.ofMinutes(4));
            case HostMemory memory -> memory.close();
            case KernelProgram program -> program.submit();
            case Recorder recorder -> recorder.build().submit();
            case null, default -> {}
        }
    }

    private static void requireAllowed(Throwable thrown, String call, boolean nulls) {
        boolean allowed = switch (thrown) {
            case HostileWorld.OfCallback _ -> true;
            case NullPointerException _ -> nulls;
            case IllegalArgumentException _ -> hasMessage(thrown);
            case IllegalStateException _ -> hasMessage(thrown);
            case IndexOutOfBoundsException _ -> hasMessage(thrown);
            case UnsupportedOperationException _ -> hasMessage(thrown);
            case WrongThreadException _ -> hasMessage(thrown);
            case DeviceException _ -> hasMessage(thrown);
            default -> false;
        };
        if (!allowed) {
            throw new AssertionError(call + " threw what no call may", thrown);
        }
    }

    private static boolean hasMessage(Throwable thrown) {
        String message = thrown.getMessage();
        return message != null && !message.isBlank();
    }

    /** An arena that no hostile call uses. */
    private static final class Witness implements AutoCloseable {
        private final byte[] content = new byte[5003];
        private final DeviceArena arena = TestArenas.open(TestArenas.plan(0, content.length));

        Witness() {
            new SplittableRandom(7).nextBytes(content);
            arena.writeBytes(0, MemorySegment.ofArray(content));
        }

        void requireUntouched() {
            byte[] read = new byte[content.length];
            arena.readBytes(0, MemorySegment.ofArray(read));
            if (!Arrays.equals(read, content)) {
                throw new AssertionError("an arena that was not called has changed");
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
