/**
 * Which arenas of this process are open, and where they were opened: start at {@link
 * io.devicearena.diagnostics.internal.tracking.OpenMemories}.
 */
@NullMarked
package io.devicearena.diagnostics.internal.tracking;

import org.jspecify.annotations.NullMarked;
