/**
 * The command line: one class a command, and what several of them share.
 *
 * <p>Start reading at {@link io.devicearena.cli.ArenaCli}.
 */
@NullMarked
package io.devicearena.cli;

import org.jspecify.annotations.NullMarked;
