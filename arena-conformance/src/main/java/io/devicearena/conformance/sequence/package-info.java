/**
 * Any sequence of calls on arenas behaves like the same calls on arrays of bytes.
 *
 * <p>{@link io.devicearena.conformance.sequence.SequenceProperty} is the entry. A {@code Call} is one step, with
 * operands that are taken modulo what exists, so that each part of a sequence is a sequence. {@code World} makes the
 * calls on arenas and on arrays, compares them, and writes them down as Java. {@code RandomSequences} chooses calls by
 * a seed; {@code Sequences} reaches by construction what chance rarely does. {@code Shrinker} reduces a sequence that
 * fails.
 */
@NullMarked
package io.devicearena.conformance.sequence;

import org.jspecify.annotations.NullMarked;
