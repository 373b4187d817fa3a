package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.CheckedRun;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults in steps and checks. */
final class CheckingMutants {
    private CheckingMutants() {}

    static List<Mutant> all() {
        List<Mutant> mutants = new ArrayList<>(steps());
        mutants.addAll(reads());
        mutants.addAll(writes());
        return mutants;
    }

    private static List<Mutant> steps() {
        return List.of(
                Mutant.ofChecks(
                        "checks are promised and not made",
                        "7.2",
                        "checks of a view",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable ExecutionChecks checks() {
                                return new ReferenceChecks();
                            }
                        }),
                Mutant.ofChecks(
                        "steps are not checked",
                        "13.3",
                        "a step whose weights are not loaded, the step of the finding",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                                work.run();
                            }
                        }),
                Mutant.ofChecks(
                        "steps are checked without what they read",
                        "13.3",
                        "a step whose weights are not loaded, the value of the",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                                super.step(label, List.of(), writes, work);
                            }
                        }),
                Mutant.ofChecks(
                        "a step that is refused runs its work",
                        "13.8",
                        "runs of work that was refused",
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
                Mutant.ofChecks(
                        "the checks fill states too",
                        "13.2",
                        "threw io.devicearena.ExecutionCheckException: step 'a'",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void write(long offset, MemorySegment source) {
                                super.write(offset, source);
                                memory.asSlice(CheckedRun.SLOT * 3L, 4).fill((byte) 1);
                            }
                        }),
                Mutant.ofChecks(
                        "the checks see the first bytes of the arena only",
                        "13.3",
                        "a step that reads what no step has made",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void read(long offset, MemorySegment destination) {
                                super.read(offset, destination);
                                if (destination.byteSize() > 128) {
                                    destination.asSlice(64).fill((byte) 0);
                                }
                            }
                        }),
                Mutant.ofChecks(
                        "the checks leave old bytes in the memory",
                        "13.3",
                        "a step whose weights are not loaded",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void write(long offset, MemorySegment source) {
                                requireOpen();
                            }
                        }),
                Mutant.ofChecks(
                        "the checks do not regard actual lengths",
                        "13.5",
                        "threw io.devicearena.ExecutionCheckException: step 'a'",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public long lengthBytes(NodeId id) {
                                return Math.max(super.lengthBytes(id), CheckedRun.N * 4);
                            }
                        }));
    }

    private static List<Mutant> reads() {
        return List.of(
                Mutant.ofChecks(
                        "reads are not checked",
                        "13.4",
                        "readOutputF32 of a value that was not made",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
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
                Mutant.ofChecks(
                        "batches are not checked",
                        "13.4",
                        "readBatch of floats of a value that was not made",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void requireReadable(Batch batch) {}
                        }),
                Mutant.ofChecks(
                        "deferred reads are not checked",
                        "13.4",
                        "beginRead of floats of a value that was not made",
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
                Mutant.ofChecks(
                        "raw reads are refused",
                        "13.4",
                        "threw io.devicearena.ExecutionCheckException: read",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                if (destination.byteSize() == CheckedRun.SLOT) {
                                    requireReadable(CheckedRun.id("a"), 0, 4);
                                }
                                super.readBytes(offset, destination);
                            }
                        }),
                Mutant.ofChecks(
                        "a view has checks of its own",
                        "13.7",
                        "threw io.devicearena.ExecutionCheckException: step 'e'",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new CheckedReferenceArena(this, other, watch(g));
                            }
                        }),
                Mutant.ofChecks(
                        "a view has no checks",
                        "7.2",
                        "checks of a view",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new ReferenceArena(this, other);
                            }
                        }));
    }

    private static List<Mutant> writes() {
        return List.of(
                Mutant.ofChecks(
                        "numbers that are written are not looked at",
                        "13.6",
                        "writeInputF32 of NaN",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(NodeId id, DType dtype, long bytes, Runnable move) {
                                super.checkedWrite(id, DType.U8, bytes, move);
                            }
                        }),
                Mutant.ofChecks(
                        "batches are written past the checks",
                        "13.6",
                        "writeBatch of NaN",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedBatch(Batch batch, Runnable move) {
                                move.run();
                            }
                        }),
                Mutant.ofChecks(
                        "raw writes are made past the checks",
                        "13.5",
                        "a step that reads a weight which a raw write cut",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(long offset, long bytes, Runnable move) {
                                move.run();
                            }
                        }),
                Mutant.ofChecks(
                        "a write is noted as one of the whole value",
                        "13.5",
                        "threw io.devicearena.ExecutionCheckException: write",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            @Override
                            void checkedWrite(NodeId id, DType dtype, long bytes, Runnable move) {
                                super.checkedWrite(id, dtype, Math.max(bytes, CheckedRun.N * 4), move);
                            }
                        }));
    }
}
