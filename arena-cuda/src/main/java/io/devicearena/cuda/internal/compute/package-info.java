/** Checks, records and runs programs of kernels. */
@NullMarked
package io.devicearena.cuda.internal.compute;

import org.jspecify.annotations.NullMarked;
