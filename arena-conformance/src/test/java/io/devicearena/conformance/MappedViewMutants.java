package io.devicearena.conformance;

import io.devicearena.MemoryPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.function.Function;

/** Faults of mapped views that outlive their reader or share memory, and of views that are dropped. */
final class MappedViewMutants {
    private static final Cleaner CLEANER = Cleaner.create();

    private MappedViewMutants() {}

    /** Native memory that no close of an arena ends; it is freed some time after its owner was dropped. */
    private static MemorySegment leaked(Object owner, long bytes) {
        Arena memory = Arena.ofShared();
        CLEANER.register(owner, memory::close);
        return memory.allocate(Math.max(bytes, 1), 8).asSlice(0, bytes);
    }

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "a mapped view is never unmapped",
                        "4.2",
                        "native memory of a view of 1 bytes after its reader",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                MemorySegment copy = leaked(this, length);
                                get(offset, copy);
                                return reader.apply(copy.asReadOnly());
                            }
                        }),
                Mutant.of(
                        "a mapped view stays mapped when its reader throws",
                        "4.2",
                        "native memory of a view of 3145728 bytes after its reader",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                Arena owner = Arena.ofShared();
                                MemorySegment copy =
                                        owner.allocate(Math.max(length, 1)).asSlice(0, length);
                                get(offset, copy);
                                R result = reader.apply(copy.asReadOnly());
                                owner.close();
                                return result;
                            }
                        }),
                Mutant.of(
                        "a mapped view is open past the close of the arena",
                        "4.2",
                        "native memory of a view after close",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment allocate(Arena owner, long bytes) {
                                return leaked(this, bytes);
                            }
                        }),
                Mutant.of(
                        "all views of an arena have one memory",
                        "2.1",
                        "bytes of a view after others",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment staging = MemorySegment.ofArray(new byte[16_384]);
                            private final Meeting meeting = new Meeting();

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                if (length > staging.byteSize()) {
                                    return super.withCopy(offset, length, reader);
                                }
                                MemorySegment view = staging.asSlice(0, length);
                                boolean first = meeting.isFirst();
                                get(offset, view);
                                meeting.pass();
                                if (first) {
                                    meeting.awaitSecond();
                                }
                                return reader.apply(view.asReadOnly());
                            }
                        }),
                sharing("all views of a device have one memory", false),
                sharing("the end of a view clears those of other arenas", true),
                Mutant.of(
                        "a dropped view is not logged",
                        "8.5",
                        "log of io.devicearena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                ReferenceArena view = super.openView(other);
                                view.keepSilent();
                                return view;
                            }
                        }));
    }

    private static Mutant sharing(String fault, boolean clears) {
        return Mutant.ofState(fault, "2.1", "bytes of a view after others", () -> {
            MemorySegment staging = MemorySegment.ofArray(new byte[16_384]);
            return (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                @Override
                <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                    if (length > staging.byteSize()) {
                        return super.withCopy(offset, length, reader);
                    }
                    MemorySegment view = staging.asSlice(0, length);
                    get(offset, view);
                    R result = reader.apply(view.asReadOnly());
                    if (clears) {
                        view.fill((byte) 0);
                    }
                    return result;
                }
            };
        });
    }
}
