package io.devicearena.conformance.sequence;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One call of a sequence. What calls make (arenas, host memory, batches and their transfers) has the key of the call
 * that made it, and an operand is the one with the next key: leaving out other calls does not change which one it is.
 * Values are numbers, taken modulo how many there are. A call without its operand does nothing, so that each part of a
 * sequence is a sequence. Shrinking makes each {@code long} smaller.
 */
sealed interface Call {
    /** Makes the call, on arenas and on arrays, and compares. */
    void in(World world);

    /** The call with its operands, to be made several times. */
    default Runnable bound(World world) {
        return () -> in(world);
    }

    /** A call on one arena. */
    sealed interface OfArena extends Call {
        int arena();

        void on(Held held, World world);

        @Override
        default void in(World world) {
            world.arena(arena()).ifPresent(held -> on(held, world));
        }
    }

    /** Opens an arena. */
    record OpenArena(int key, Layout layout, long scratch) implements Call {
        @Override
        public void in(World world) {
            long more = (scratch + 15) / 16 * 16;
            Layout fitting = layout.within(world.limits, layout.bytes() + more);
            Journal journal = world.journal;
            String name = journal.next("arena");
            String opened = "open(%s, ArenaOptions.defaults().withScratchBytes(%s))";
            journal.open("}", "try (DeviceArena %s = " + opened + ") {", name, fitting.write(journal), scratch);
            ArenaOptions options = ArenaOptions.defaults().withScratchBytes(scratch);
            DeviceArena arena = journal.watched(DeviceArena.class, world.opener.apply(fitting.plan(), options), name);
            long size = Math.max(1, layout.bytes() + more);
            world.same("sizeBytes", "%s", size, arena.sizeBytes());
            world.same("scratchOffset", "%s", layout.bytes(), arena.scratchOffset());
            opened(world, new Held(key, arena, fitting, new Model(size, world.memory)));
        }

        /** Values are where the plan says. */
        static void opened(World world, Held held) {
            world.arenas.add(held);
            for (int i = 0; i < held.layout.count(); i += 1 + i / 32) {
                long offset = held.layout.value(i).offset();
                world.same(
                        "byteOffset",
                        "%s.orElse(-1)",
                        offset,
                        held.arena.byteOffset(Layout.id(i)).orElse(-1));
            }
        }
    }

    /** Opens a view. */
    record View(int key, int arena, Layout layout) implements OfArena {
        @Override
        public void on(Held owner, World world) {
            Layout fitting =
                    layout.within(owner.arena.segments(), owner.arena.scratchOffset(), world.limits.maxSegmentBytes());
            MemoryPlan plan = fitting.plan();
            world.journal.name(plan, fitting.write(world.journal));
            OpenArena.opened(world, new Held(key, owner.arena.view(plan), fitting, owner.model));
        }
    }

    /** Closes an arena or a view. */
    record CloseArena(int arena) implements OfArena {
        @Override
        public void on(Held held, World world) {
            world.arenas.remove(held);
            world.flights.removeIf(flight -> flight.batch().held() == held);
            List.copyOf(world.flights).stream()
                    .filter(flight ->
                            world.flights.contains(flight) && flight.batch().isWithHostOf(held))
                    .forEach(flight -> world.await(flight, 0));
            world.batches.removeIf(batch -> batch.held() == held);
            world.hosts.removeIf(host -> host.owner == held);
            held.arena.close();
        }
    }

    /** Sets the length of a value. */
    record SetLength(int arena, int value, long bytes) implements OfArena {
        @Override
        public void on(Held held, World world) {
            if (held.layout.count() > 0) {
                int number = value % held.layout.count();
                long length = bytes % (held.layout.value(number).slot() + 1);
                held.arena.setActualLength(Layout.id(number), length);
                held.setLength(number, length);
                world.same("lengthBytes", "%s", length, held.arena.lengthBytes(Layout.id(number)));
            }
        }
    }

    /** Waits for the device. */
    record Flush(int arena) implements OfArena {
        @Override
        public void on(Held held, World world) {
            held.arena.flush();
        }
    }

    /** Allocates host memory. */
    record AllocateHost(int key, int arena, long bytes) implements OfArena {
        @Override
        public void on(Held held, World world) {
            long size = Math.max(1, bytes);
            Host host = new Host(key, held, held.arena.allocateHost(size), size);
            world.bytes("host memory, bytes, new", 0, host.segment, host.expected);
            new Content(Content.Kind.BYTES, world.hosts.size() * 7)
                    .fill(host.segment, MemorySegment.NULL, world.journal);
            host.keep(host.segment);
            world.hosts.add(host);
        }
    }

    /** Frees host memory. */
    record FreeHost(int host) implements Call {
        @Override
        public void in(World world) {
            World.next(world.hosts, one -> one.key, host)
                    .filter(one -> one.users == 0)
                    .ifPresent(freed -> {
                        world.hosts.remove(freed);
                        world.check(freed);
                        freed.memory.close();
                    });
        }
    }

    /** Writes regions, and changes their sources; or reads regions. */
    record Move(int key, boolean isWrite, int arena, Way way, List<Region> regions) implements OfArena {
        @Override
        public void on(Held held, World world) {
            if (way.isBatch()) {
                batch(held, world, regions).run();
            } else {
                regions.forEach(region -> bound(held, world, region).run());
            }
        }

        @Override
        public Runnable bound(World world) {
            return world.arena(arena)
                    .map(held -> way.isBatch() ? batch(held, world, regions) : bound(held, world, regions.getFirst()))
                    .orElse(() -> {});
        }

        private Runnable bound(Held held, World world, Region region) {
            Region named = region.in(held);
            if (named.type() == Region.Type.ELEMENTS) {
                return batch(held, world, List.of(named));
            } else if (!isWrite && way.isLook(named)) {
                return () -> way.look(world, held, named);
            }
            Piece piece = Piece.of(world, held, named, way, isWrite);
            return () -> {
                piece.prepare(world, isWrite);
                if (isWrite) {
                    way.write(world, piece);
                } else {
                    way.read(world, piece);
                }
                piece.end(world, isWrite);
            };
        }

        private Runnable batch(Held held, World world, List<Region> together) {
            List<Piece> pieces = together.stream()
                    .map(region -> Piece.of(world, held, region.in(held), way, isWrite))
                    .toList();
            Batched batch = Batched.of(world, key, held, pieces, isWrite);
            return () -> {
                batch.prepare(world);
                batch.move(world, way == Way.DEFERRED);
            };
        }
    }

    /** Moves a batch again that was made before, a write with other bytes. */
    record Again(int batch, boolean isDeferred, int from) implements Call {
        @Override
        public void in(World world) {
            World.next(world.batches, Batched::key, batch).ifPresent(again -> move(again, world));
        }

        private void move(Batched again, World world) {
            List<MemorySegment> expected = again.isWrite() ? List.of() : again.expected();
            for (Batched.Flight flight : world.flightsOf(again)) { // a deferred read goes to where another one goes
                boolean isAlike = isDeferred && sizes(flight.expected()).equals(sizes(expected));
                if (!again.isWrite() && !isAlike && world.flights.contains(flight)) {
                    world.await(flight, 0);
                }
            }
            if (again.isWrite()) {
                again.pieces()
                        .forEach(piece -> piece.fill(
                                world, new Content(piece.region().content().kind(), from)));
            } else if (world.flightsOf(again).isEmpty()) {
                again.prepare(world);
            }
            again.move(world, isDeferred);
        }

        private static List<Long> sizes(List<MemorySegment> all) {
            return all.stream().map(MemorySegment::byteSize).toList();
        }
    }

    /** Waits for a deferred read or write of a batch, in one of four ways. */
    record Await(int batch, int how) implements Call {
        @Override
        public void in(World world) {
            World.next(world.flights, one -> one.batch().key(), batch).ifPresent(flight -> world.await(flight, how));
        }
    }

    /** Fills a range. */
    record Fill(int arena, Place place, long length, byte value) implements OfArena {
        @Override
        public void on(Held held, World world) {
            long offset = held.offset(place);
            long bytes = Math.min(length, held.size - offset);
            world.moved += bytes;
            held.arena.fillBytes(offset, bytes, value);
            held.model.fill(offset, bytes, value);
        }
    }

    /** Copies a range: on the device, or by a write or a read whose memory is the arena's own. */
    record Copy(int arena, Place from, Place to, long length, int how) implements OfArena {
        @Override
        public void on(Held held, World world) {
            long source = held.offset(from);
            long target = held.offset(to);
            long bytes = Math.min(length, held.size - Math.max(source, target));
            world.moved += bytes;
            Optional<MemorySegment> own = held.own(how > 0);
            if (own.isEmpty()) {
                held.arena.copyBytes(source, target, bytes);
            } else if (how == 1) {
                held.arena.writeBytes(target, world.slice(own.get(), source, bytes));
            } else {
                held.arena.readBytes(source, world.slice(own.get(), target, bytes));
            }
            held.model.write(target, held.model.read(source, bytes));
        }
    }

    /** Opens mapped views of two arenas, each within the reader of the one before. */
    record Nest(int arena, int other, Place place, long length, long depth) implements OfArena {
        @Override
        public void on(Held held, World world) {
            world.arena(other).ifPresent(second -> nest(world, held, second, place.delta(), depth));
        }

        private void nest(World world, Held held, Held next, long delta, long left) {
            long offset = held.offset(new Place(place.anchor(), delta));
            Way.look(world, held, offset, Math.min(length, held.size - offset), () -> {
                if (left > 1 && held.model != next.model) {
                    nest(world, next, held, delta + left % 3, left - 1);
                }
            });
        }
    }

    /** Makes a call many times. */
    record Repeat(Call call, long times) implements Call {
        @Override
        public void in(World world) {
            Runnable bound = call.bound(world);
            String i = world.journal.next("i");
            world.journal.open("}", "for (int %1$s = 0; %1$s < %2$s; %1$s++) {", i, times);
            int before = world.flights.size();
            for (long round = 0; round < times; round++) {
                bound.run();
                world.awaitAllBut(before);
                world.journal.mute(true);
            }
            world.journal.mute(false);
            world.journal.close();
        }
    }
}
