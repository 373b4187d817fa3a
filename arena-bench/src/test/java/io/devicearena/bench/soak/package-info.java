/** Tests of the end of long runs. */
@NullMarked
package io.devicearena.bench.soak;

import org.jspecify.annotations.NullMarked;
