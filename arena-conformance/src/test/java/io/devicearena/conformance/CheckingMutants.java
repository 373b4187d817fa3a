package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Faults in steps and checks. */
final class CheckingMutants {
    private CheckingMutants() {}

    /** Makes a faulty arena with checks. */
    private interface Checked {
        CheckedReferenceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry);
    }

    private static Mutant checked(String fault, String clauses, Checked maker) {
        return Mutant.of(
                fault, clauses, (d, p, o, g) -> o.checks() ? maker.open(d, p, o, g) : new ReferenceArena(d, p, o, g));
    }

    static List<Mutant> all() {
        List<Mutant> mutants = new ArrayList<>(steps());
        mutants.addAll(reads());
        mutants.addAll(writes());
        return mutants;
    }

    private static List<Mutant> steps() {
        return List.of(
                Mutant.of("an arena has checks unasked", "20.1", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    ExecutionChecks checks() {
                        return new ReferenceChecks();
                    }
                }),
                Mutant.of(
                        "a step of a closed arena runs its work",
                        "20.1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public <T> Optional<T> unwrap(Class<T> type) {
                                return type == ExecutionChecks.class ? Optional.empty() : super.unwrap(type);
                            }
                        }),
                Mutant.of(
                        "checks are promised and not made",
                        "20.3 20.4 20.5 20.6 20.7 20.8 20.9 20.10",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable ExecutionChecks checks() {
                                return o.checks() ? new ReferenceChecks() : null;
                            }
                        }),
                checked(
                        "steps are not checked",
                        "20.3 20.4 20.5 20.6 20.7 20.8 20.9 20.10",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                                work.run();
                            }
                        }),
                checked(
                        "steps are checked without what they read",
                        "20.3 20.5 20.7 20.8 20.9",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                                super.step(label, List.of(), writes, work);
                            }
                        }),
                checked(
                        "a step that is refused runs its work",
                        "20.8",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                                boolean[] ran = {false};
                                try {
                                    super.step(label, reads, writes, () -> {
                                        ran[0] = true;
                                        work.run();
                                    });
                                } finally {
                                    if (!ran[0]) {
                                        work.run();
                                    }
                                }
                            }
                        }),
                checked(
                        "the checks fill states too",
                        "20.2 20.3 20.5",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void write(long offset, MemorySegment source) {
                                super.write(offset, source);
                                memory.asSlice(CheckedRun.SLOT * 3L, 4).fill((byte) 1);
                            }
                        }),
                checked(
                        "the checks see the first bytes of the arena only",
                        "20.3 20.4 20.5 20.6 20.7 20.8 20.10",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void read(long offset, MemorySegment destination) {
                                super.read(offset, destination);
                                if (destination.byteSize() > 128) {
                                    destination.asSlice(64).fill((byte) 0);
                                }
                            }
                        }),
                checked(
                        "the checks leave old bytes in the memory",
                        "20.3 20.4 20.5 20.8 20.10",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void write(long offset, MemorySegment source) {
                                requireOpen();
                            }
                        }),
                checked(
                        "the checks do not regard actual lengths",
                        "20.5",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public long lengthBytes(NodeId id) {
                                return Math.max(super.lengthBytes(id), CheckedRun.N * 4);
                            }
                        }));
    }

    private static List<Mutant> reads() {
        return List.of(
                checked("reads are not checked", "20.4 20.7", (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                    @Override
                    void requireReadable(NodeId id, long firstByte, long bytes) {}

                    @Override
                    ReferenceArena openView(MemoryPlan other) {
                        return new CheckedReferenceArena(this, other, watch) {
                            @Override
                            void requireReadable(NodeId id, long firstByte, long bytes) {}
                        };
                    }
                }),
                checked("batches are not checked", "20.4", (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                    @Override
                    void requireReadable(Batch batch) {}
                }),
                checked(
                        "deferred reads are not checked",
                        "20.4",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            private boolean beginning;

                            @Override
                            public Transfer beginRead(Batch batch) {
                                beginning = true;
                                try {
                                    return super.beginRead(batch);
                                } finally {
                                    beginning = false;
                                }
                            }

                            @Override
                            void requireReadable(Batch batch) {
                                if (!beginning) {
                                    super.requireReadable(batch);
                                }
                            }
                        }),
                checked("raw reads are refused", "20.4", (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                    @Override
                    public void readBytes(long offset, MemorySegment destination) {
                        if (destination.byteSize() == CheckedRun.SLOT) {
                            requireReadable(CheckedRun.A, 0, 4);
                        }
                        super.readBytes(offset, destination);
                    }
                }),
                checked(
                        "a view has checks of its own",
                        "20.7 20.9",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new CheckedReferenceArena(this, other, watch(g));
                            }
                        }),
                checked("a view has no checks", "20.7 20.9", (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                    @Override
                    ReferenceArena openView(MemoryPlan other) {
                        return new ReferenceArena(this, other);
                    }
                }));
    }

    private static List<Mutant> writes() {
        return List.of(
                checked(
                        "numbers that are written are not looked at",
                        "20.6",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(NodeId id, DType dtype, long bytes, Runnable move) {
                                super.checkedWrite(id, DType.U8, bytes, move);
                            }
                        }),
                checked(
                        "batches are written past the checks",
                        "20.6",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedBatch(Batch batch, Runnable move) {
                                move.run();
                            }
                        }),
                checked(
                        "raw writes are made past the checks",
                        "20.5 20.6",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(long offset, long bytes, Runnable move) {
                                move.run();
                            }
                        }),
                checked(
                        "a write is noted as one of the whole value",
                        "20.5",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(NodeId id, DType dtype, long bytes, Runnable move) {
                                super.checkedWrite(id, dtype, Math.max(bytes, CheckedRun.N * 4), move);
                            }
                        }));
    }
}
