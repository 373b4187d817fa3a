@NullMarked
package io.devicearena.bench.plans;

import org.jspecify.annotations.NullMarked;
