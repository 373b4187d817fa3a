package io.devicearena.spi.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of systems that are folders of files. */
class SystemMemoryTest {
    private static final long MIB = 1 << 20;

    /** What version 1 writes for no limit. */
    private static final String NO_LIMIT = "9223372036854771712\n";

    private static final String V1_MOUNT =
            "36 25 0:31 / /sys/fs/cgroup/memory rw,nosuid shared:16 - cgroup cgroup rw,memory\n";
    private static final String V2_MOUNT = "30 23 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n";

    @TempDir
    private Path root;

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private void host(long freeMib, long swapMib) throws IOException {
        file(
                "proc/meminfo",
                "MemTotal: 99999999 kB\nMemAvailable:   " + freeMib * 1024 + " kB\nSwapTotal: 9 kB\nSwapFree: "
                        + swapMib * 1024 + " kB\nHugePages_Total:       0\n");
    }

    private void process(String groups, String mounts) throws IOException {
        file("proc/self/cgroup", groups);
        file("proc/self/mountinfo", "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n" + mounts);
    }

    private void v1(String folder, String limit, long usedMib, long cachedMib) throws IOException {
        file(folder + "/memory.limit_in_bytes", limit);
        file(folder + "/memory.usage_in_bytes", usedMib * MIB + "\n");
        file(
                folder + "/memory.stat",
                "cache 7\nactive_file 1\ntotal_active_file " + cachedMib * MIB / 2 + "\ntotal_inactive_file "
                        + cachedMib * MIB / 2 + "\n");
    }

    private void v2(String folder, String limit, long usedMib, long cachedMib) throws IOException {
        file(folder + "/memory.max", limit);
        file(folder + "/memory.current", usedMib * MIB + "\n");
        file(
                folder + "/memory.stat",
                "anon 9\nactive_file 0\ninactive_file " + cachedMib * MIB + "\nslab_reclaimable 0\n");
    }

    private static String mib(long mib) {
        return mib * MIB + "\n";
    }

    private OptionalLong free() {
        return SystemMemory.freeBytes(root, new ControlGroups(root));
    }

    private void assertFree(long mib) {
        assertThat(free()).hasValue(mib * MIB);
    }

    /** In a group with a limit, something is kept back. */
    private void assertFreeOfGroup(long mib) {
        assertFree(mib - ControlGroups.RESERVE_BYTES / MIB);
    }

    private void assertLimit(long mib) {
        assertThat(new ControlGroups(root).limitBytes()).isEqualTo(mib * MIB);
    }

    private void assertUnlimited() {
        assertThat(new ControlGroups(root).limitBytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void host_availableMemoryAndFreeSwapAreAdded() throws IOException {
        host(1000, 500);
        assertFree(1500);
        assertUnlimited();
    }

    @Test
    void systemWithoutFigures_isUnknown() throws IOException {
        assertThat(free()).isEmpty();
        assertUnlimited();
        file("proc/meminfo", "MemFree: 5 kB\nSwapFree: 5 kB\n");
        assertThat(free()).isEmpty();
    }

    @Test
    void linesOfAnotherForm_areSkipped() throws IOException {
        file("proc/meminfo", """
                MemAvailable: many kB
                MemAvailable: 7 kB
                SwapFree: -3 kB
                SwapFree: 99999999999999999999 kB
                XMemAvailable: 9 kB

                """);
        process("memory\n::\n4:memory\n4:memory:\n0::\n", "a b - c\n - \n" + V1_MOUNT);
        assertThat(free()).hasValue(7 * 1024);
        Files.delete(root.resolve("proc/self/mountinfo"));
        assertThat(free()).hasValue(7 * 1024);
    }

    @Test
    void v1_limitBoundsTheHost_andCachedFilesAreFree() throws IOException {
        host(20_000, 0);
        process("4:cpu,memory:/box\n0::/\n", V1_MOUNT);
        v1("sys/fs/cgroup/memory", NO_LIMIT, 9_000, 0);
        v1("sys/fs/cgroup/memory/box", mib(300), 120, 20);
        assertFreeOfGroup(200);
        assertLimit(300);
    }

    @Test
    void v1_withoutLimit_isTheHosts() throws IOException {
        host(20_000, 10);
        process("4:memory:/box\n", V1_MOUNT);
        v1("sys/fs/cgroup/memory", NO_LIMIT, 9_000, 9_500);
        v1("sys/fs/cgroup/memory/box", "18446744073709551615\n", 10, 0);
        assertFree(20_010);
        assertUnlimited();
    }

    @Test
    void v1_limitOfAParent_counts() throws IOException {
        host(20_000, 0);
        process("4:memory:/pod/box\n", V1_MOUNT);
        v1("sys/fs/cgroup/memory/pod", mib(200), 150, 0);
        v1("sys/fs/cgroup/memory/pod/box", mib(300), 10, 0);
        assertFreeOfGroup(50);
        assertLimit(200);
    }

    @Test
    void v1_limitOfAParentThatIsNotMounted_isInTheStatistics() throws IOException {
        host(20_000, 0);
        process(
                "4:memory:/docker/abc\n",
                "36 25 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
        v1("sys/fs/cgroup/memory", NO_LIMIT, 30, 0);
        file("sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit " + 100 * MIB + "\n");
        assertFreeOfGroup(70);
        assertLimit(100);
    }

    @Test
    void limitThatChanges_isSeen() throws IOException {
        host(20_000, 0);
        process("0::/box\n", V2_MOUNT);
        v2("sys/fs/cgroup/box", "max\n", 100, 0);
        ControlGroups groups = new ControlGroups(root);
        assertThat(groups.limitBytes()).isEqualTo(Long.MAX_VALUE);
        v2("sys/fs/cgroup/box", mib(300), 100, 0);
        assertThat(groups.limitBytes()).isEqualTo(300 * MIB);
    }

    @Test
    void v1_memoryAndSwapTogether_areLimited() throws IOException {
        host(20_000, 1_000);
        process("4:memory:/box\n", V1_MOUNT);
        v1("sys/fs/cgroup/memory/box", mib(300), 100, 10);
        assertFreeOfGroup(1_210);
        file("sys/fs/cgroup/memory/box/memory.memsw.limit_in_bytes", mib(400));
        file("sys/fs/cgroup/memory/box/memory.memsw.usage_in_bytes", mib(150));
        assertFreeOfGroup(260);
    }

    @Test
    void v2_leastOfAllLevels() throws IOException {
        host(20_000, 0);
        process("0::/user.slice/box\n", V2_MOUNT);
        v2("sys/fs/cgroup/user.slice", mib(500), 450, 30);
        v2("sys/fs/cgroup/user.slice/box", "max\n", 100, 0);
        assertFreeOfGroup(80);
        assertLimit(500);
        v2("sys/fs/cgroup/user.slice/box", mib(150), 100, 10);
        assertFreeOfGroup(60);
        assertLimit(150);
    }

    @Test
    void v2_highIsALimitToo() throws IOException {
        host(20_000, 0);
        process("0::/box\n", V2_MOUNT);
        v2("sys/fs/cgroup/box", mib(500), 100, 0);
        file("sys/fs/cgroup/box/memory.high", mib(300));
        assertFreeOfGroup(200);
        file("sys/fs/cgroup/box/memory.high", "max\n");
        assertFreeOfGroup(400);
    }

    @Test
    void v2_swapIsThatOfTheHostUpToTheLimit() throws IOException {
        host(20_000, 1_000);
        process("0::/box\n", V2_MOUNT);
        v2("sys/fs/cgroup/box", mib(500), 100, 0);
        file("sys/fs/cgroup/box/memory.swap.max", "max\n");
        file("sys/fs/cgroup/box/memory.swap.current", mib(7));
        assertFreeOfGroup(1_400);
        file("sys/fs/cgroup/box/memory.swap.max", mib(20));
        assertFreeOfGroup(413);
        file("sys/fs/cgroup/box/memory.swap.max", "0\n");
        assertFreeOfGroup(400);
    }

    @Test
    void groupBeyondItsLimit_hasNothingFree() throws IOException {
        host(20_000, 0);
        process("0::/box\n", V2_MOUNT);
        v2("sys/fs/cgroup/box", mib(100), 110, 0);
        assertFree(0);
    }

    @Test
    void pathOfTheHostInAContainer_endsAtTheMount() throws IOException {
        host(20_000, 0);
        v2("sys/fs/cgroup", mib(100), 40, 0);
        process("0::/kubepods/pod1/box\n", V2_MOUNT);
        assertFreeOfGroup(60);
        process("0::/../../box\n", V2_MOUNT);
        assertFreeOfGroup(60);
        process("0::/box\n", V2_MOUNT.replace("0:26 / ", "0:26 /../.. "));
        assertFreeOfGroup(60);
    }

    @Test
    void ofSeveralMounts_thatOfTheGroupIsRead() throws IOException {
        host(20_000, 0);
        v2("mnt/other", mib(10), 9, 0);
        v2("sys/fs/cgroup/box", mib(100), 40, 0);
        process("0::/box\n", "29 23 0:26 /other /mnt/other rw - cgroup2 cgroup2 rw\n" + V2_MOUNT);
        assertFreeOfGroup(60);
    }

    @Test
    void namesWithSpaces_areRead() throws IOException {
        host(20_000, 0);
        v2("my groups/a:b c", mib(100), 40, 0);
        process("0::/a:b c\n", V2_MOUNT.replace("/sys/fs/cgroup", "/my\\040groups"));
        assertFreeOfGroup(60);
    }

    @Test
    void bothVersionsAreRead() throws IOException {
        host(20_000, 0);
        process("4:memory:/box\n0::/slice\n", V1_MOUNT + V2_MOUNT.replace("cgroup rw,r", "cgroup/unified rw,r"));
        v1("sys/fs/cgroup/memory/box", mib(300), 100, 0);
        v2("sys/fs/cgroup/unified/slice", mib(250), 100, 0);
        assertFreeOfGroup(150);
    }

    @Test
    void figuresThatCannotBeRead_areNoLimit() throws IOException {
        host(500, 0);
        process("0::/box\n", V2_MOUNT);
        file("sys/fs/cgroup/box/memory.max", "300");
        assertFree(500);
        Files.createDirectories(root.resolve("sys/fs/cgroup/box/memory.current"));
        assertFree(500);
        file("sys/fs/cgroup/box/memory.max", "");
        file("sys/fs/cgroup/box/memory.high", "\u0000");
        assertFree(500);
        assertUnlimited();
    }

    @Test
    void totalMemory_isThatOfTheHostOrTheLimit() throws IOException {
        assertThat(SystemMemory.totalBytes(root, new ControlGroups(root))).isEmpty();
        file("proc/meminfo", "MemTotal:       2048 kB\nMemAvailable: 1024 kB\n");
        assertThat(SystemMemory.totalBytes(root, new ControlGroups(root))).hasValue(2 * MIB);
        process("0::/box\n", V2_MOUNT);
        file("sys/fs/cgroup/box/memory.max", mib(1));
        assertThat(SystemMemory.totalBytes(root, new ControlGroups(root))).hasValue(MIB);
    }

    @Test
    void machineAnswers() {
        assertThat(SystemMemory.totalBytes().orElse(1)).isPositive();
        assertThat(SystemMemory.freeBytes().orElse(1)).isPositive();
        assertThat(SystemMemory.limitBytes().orElse(1)).isPositive();
    }
}
