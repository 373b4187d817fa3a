/**
 * The clauses: one interface for each group of the specification, each test a default method.
 *
 * <p>They are public because the two classes that a user extends inherit their tests from them, and Java inherits only
 * default methods of interfaces that it can see.
 */
@NullMarked
package io.devicearena.conformance.topics;

import org.jspecify.annotations.NullMarked;
