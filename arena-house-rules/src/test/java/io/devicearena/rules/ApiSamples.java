package io.devicearena.rules;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A type of each kind, for the test of the listing. */
public final class ApiSamples {
    private ApiSamples() {}

    public abstract static sealed class Base<T extends Comparable<T>> implements Supplier<T> {
        public static final int LIMIT = 1;
        protected final @Nullable String name;
        final int hidden = 0;

        protected Base(String name) throws IOException {
            if (name.isEmpty()) {
                throw new IOException("name: expected one, got none");
            }
            this.name = name;
        }

        @Deprecated
        public void old(List<? extends T> values, byte[] bytes) {}

        protected abstract <X extends Number & Runnable> X member(X value);

        @Override
        public final T get() {
            throw new IllegalStateException();
        }

        void hidden() {}
    }

    public static final class Child extends Base<String> {
        private Child() throws IOException {
            super("child");
        }

        @Override
        protected <X extends Number & Runnable> X member(X value) {
            return value;
        }
    }

    public record Pair(int left, @Nullable String right) {
        public Pair(int left) {
            this(left, null);
        }
    }

    public enum Kind implements Runnable {
        FIRST,
        SECOND;

        @Override
        public void run() {}
    }

    public interface Shape extends Runnable {
        int[] area();

        default int sides() {
            return 0;
        }

        static Shape none() {
            return new Shape() {
                @Override
                public int[] area() {
                    return new int[0];
                }

                @Override
                public void run() {}
            };
        }
    }

    static class Hidden {
        public int inherited() {
            return 0;
        }
    }

    public static final class Visible extends Hidden {
        Visible() {}
    }
}
