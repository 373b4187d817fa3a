/** Which devices exist, and the contexts in which arenas are open. */
@NullMarked
package io.devicearena.cuda.internal.device;

import org.jspecify.annotations.NullMarked;
