/**
 * What every part of the command says to people: numbers and names as text, one-line errors with their exit codes, and
 * the progress line.
 *
 * <p>Start reading at {@link io.devicearena.cli.message.ErrorReporter}. No class here knows graphs or plans.
 */
@NullMarked
package io.devicearena.cli.message;

import org.jspecify.annotations.NullMarked;
