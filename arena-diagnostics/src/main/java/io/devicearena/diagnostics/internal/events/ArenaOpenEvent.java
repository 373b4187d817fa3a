package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device arena, or a view of one, was opened. Threads: one thread at a time. */
@Name("io.devicearena.ArenaOpen")
@Label("Arena Open")
@Description("A device arena, or a view of one, was opened")
@Category("Device Arena")
@StackTrace(true)
final class ArenaOpenEvent extends ArenaEvent {}
