@NullMarked
package io.devicearena.conformance.runner;

import org.jspecify.annotations.NullMarked;
