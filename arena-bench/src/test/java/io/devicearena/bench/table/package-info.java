@NullMarked
package io.devicearena.bench.table;

import org.jspecify.annotations.NullMarked;
