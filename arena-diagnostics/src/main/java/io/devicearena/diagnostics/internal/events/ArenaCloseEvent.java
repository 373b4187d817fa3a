package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device arena, or a view of one, was closed. Threads: one thread at a time. */
@Name("io.devicearena.ArenaClose")
@Label("Arena Close")
@Description("A device arena, or a view of one, was closed; the duration includes the wait for calls in flight")
@Category("Device Arena")
@StackTrace(false)
final class ArenaCloseEvent extends ArenaEvent {}
