/** The memory of an open arena and its f16 shadow. */
@NullMarked
package io.devicearena.cuda.internal.arena;

import org.jspecify.annotations.NullMarked;
