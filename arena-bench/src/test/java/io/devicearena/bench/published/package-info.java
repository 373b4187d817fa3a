@NullMarked
package io.devicearena.bench.published;

import org.jspecify.annotations.NullMarked;
