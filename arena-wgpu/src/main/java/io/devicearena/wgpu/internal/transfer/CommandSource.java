package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.Commands;

/** Commands that go into a submission, ahead of the copies of a read. Threads: as its implementation says. */
public interface CommandSource {
    /** No commands. */
    CommandSource NOTHING = new CommandSource() {
        @Override
        public void record(Commands commands) {}

        @Override
        public boolean isNothing() {
            return true;
        }
    };

    /** Records them. */
    void record(Commands commands);

    /** Whether there are none, so that nothing needs to be submitted for them. */
    default boolean isNothing() {
        return false;
    }
}
