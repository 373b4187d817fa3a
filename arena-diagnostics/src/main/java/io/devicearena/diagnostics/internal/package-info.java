/**
 * The observer that arena-api finds: start at {@link io.devicearena.diagnostics.internal.DiagnosticObserver}.
 */
@NullMarked
package io.devicearena.diagnostics.internal;

import org.jspecify.annotations.NullMarked;
