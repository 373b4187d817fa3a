@NullMarked
package io.devicearena.conformance.topics;

import org.jspecify.annotations.NullMarked;
