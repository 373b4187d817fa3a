package io.devicearena.spi.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The control groups that limit the memory of this process: its own and all above it, of version 1 and version 2. What
 * cannot be read is no limit. {@link Long#MAX_VALUE} stands for no limit. Threads: immutable.
 *
 * <p><b>Source:</b> Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc_pid_mountinfo(5).
 */
final class ControlGroups {
    /** Version 1 writes "no limit" as the largest multiple of a page below 2^63. */
    private static final long LARGEST_LIMIT = Long.MAX_VALUE >> 1;

    /**
     * What the JVM itself still takes while an arena is open, kept back in bytes: heap, code and stacks. Found with
     * loads of 60 to 270 MiB in a group of 300 MB: with 18 MB left, the process was ended; with 39 MB, it was not.
     */
    static final long RESERVE_BYTES = 32 << 20;

    /** The memory controller, in a list that begins and ends with a comma. */
    private static final String MEMORY = ",memory,";

    private static final Pattern MOUNT =
            Pattern.compile("\\S+ \\S+ \\S+ (?<group>\\S+) (?<point>\\S+) .*- (?<type>\\S+) \\S+ (?<options>\\S+)");

    /** Spaces in paths, for example, are written in octal. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

    private final List<Group> groups;

    /** Finds the groups in the files of a system below a folder; the limits are read at each question. */
    ControlGroups(Path root) {
        List<String> memberships = SystemFile.lines(root.resolve("proc/self/cgroup"));
        List<String> mounts = SystemFile.lines(root.resolve("proc/self/mountinfo"));
        Set<Group> found = new LinkedHashSet<>();
        for (String membership : memberships) {
            String[] parts = membership.split(":", 3); // number, controllers, path
            if (parts.length == 3 && (parts[1].isEmpty() || ("," + parts[1] + ",").contains(MEMORY))) {
                List<Mount> mounted = Mount.of(mounts, parts[1].isEmpty());
                List<Mount> holding =
                        mounted.stream().filter(mount -> mount.holds(parts[2])).toList();
                for (Mount mount : holding.isEmpty() ? mounted.stream().limit(1).toList() : holding) {
                    Path top = root.resolve(relative(mount.point())).normalize();
                    Path own = top.resolve(relative(mount.below(parts[2]))).normalize();
                    found.addAll(groups(top, own.startsWith(top) ? own : top));
                }
            }
        }
        groups = List.copyOf(found);
    }

    /** The groups from the process's own one up; of a path of the host, a container has only the first ones. */
    private static List<Group> groups(Path top, Path own) {
        List<Group> found = new ArrayList<>();
        for (Path at = own; at != null && at.startsWith(top); at = at.getParent()) {
            boolean version1 = Files.exists(at.resolve("memory.limit_in_bytes"));
            // the root of version 2 has no limit, nor a group without the memory controller
            if (version1 || Files.exists(at.resolve("memory.max"))) {
                found.add(new Group(at, version1, found.isEmpty()));
            }
        }
        return found;
    }

    /** A mounted hierarchy: which group is at its root, and where it is mounted. */
    private record Mount(String group, String point) {
        /** The mounts of version 2, or those of the memory controller of version 1. */
        static List<Mount> of(List<String> lines, boolean version2) {
            List<Mount> found = new ArrayList<>();
            for (String line : lines) {
                Matcher mount = MOUNT.matcher(line);
                if (mount.matches()
                        && (version2
                                ? mount.group("type").equals("cgroup2")
                                : mount.group("type").equals("cgroup")
                                        && ("," + mount.group("options") + ",").contains(MEMORY))) {
                    found.add(new Mount(text(mount.group("group")), text(mount.group("point"))));
                }
            }
            return found;
        }

        private static String text(String escaped) {
            return ESCAPE.matcher(escaped)
                    .replaceAll(
                            octal -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(octal.group(1), 8))));
        }

        boolean holds(String path) {
            return group.equals("/") || path.equals(group) || path.startsWith(group + "/");
        }

        /** The path below the root of the mount; in a namespace of its own, a container sees another path. */
        String below(String path) {
            return holds(path) && !group.equals("/") ? path.substring(group.length()) : path;
        }
    }

    private static String relative(String path) {
        return path.replaceFirst("^/+", "");
    }

    /** A group that may limit memory: the process's own, or one above it. */
    private record Group(Path folder, boolean version1, boolean own) {}

    /** What one group allows: memory, swap, and in version 1 both together. */
    private record Level(long limit, long memory, long swap, long together) {
        static Level of(Group group) {
            Path folder = group.folder();
            if (group.version1()) {
                long limit = limit(folder.resolve("memory.limit_in_bytes"));
                long together = limit(folder.resolve("memory.memsw.limit_in_bytes"));
                Map<String, Long> figures = figures(folder, group.own() || Math.min(limit, together) < Long.MAX_VALUE);
                // the figures of groups above it that are not mounted here
                limit = Math.min(limit, figures.getOrDefault("hierarchical_memory_limit", Long.MAX_VALUE));
                together = Math.min(together, figures.getOrDefault("hierarchical_memsw_limit", Long.MAX_VALUE));
                long cached = sum(figures, "total_active_file", "total_inactive_file");
                return new Level(
                        limit,
                        free(limit, folder.resolve("memory.usage_in_bytes"), cached, RESERVE_BYTES),
                        Long.MAX_VALUE,
                        free(together, folder.resolve("memory.memsw.usage_in_bytes"), cached, RESERVE_BYTES));
            }
            // above memory.high, the system slows the process down until it all but stands
            long limit = Math.min(limit(folder.resolve("memory.max")), limit(folder.resolve("memory.high")));
            Map<String, Long> figures = figures(folder, limit < Long.MAX_VALUE);
            return new Level(
                    limit,
                    free(
                            limit,
                            folder.resolve("memory.current"),
                            sum(figures, "active_file", "inactive_file", "slab_reclaimable"),
                            RESERVE_BYTES),
                    free(limit(folder.resolve("memory.swap.max")), folder.resolve("memory.swap.current"), 0, 0),
                    Long.MAX_VALUE);
        }

        /** The statistics, which cost more than the rest, where they are needed. */
        private static Map<String, Long> figures(Path folder, boolean needed) {
            return needed ? SystemFile.figures(folder.resolve("memory.stat")) : Map.of();
        }

        private static long free(long limit, Path usage, long reclaimable, long reserve) {
            long used = limit == Long.MAX_VALUE ? -1 : SystemFile.number(usage, -1);
            return used < 0 ? Long.MAX_VALUE : Math.max(0, limit - Math.max(0, used - reclaimable) - reserve);
        }

        private static long limit(Path file) {
            long bytes = SystemFile.number(file, Long.MAX_VALUE);
            return bytes < 0 || bytes > LARGEST_LIMIT ? Long.MAX_VALUE : bytes;
        }

        private static long sum(Map<String, Long> figures, String... names) {
            return Stream.of(names)
                    .mapToLong(name -> figures.getOrDefault(name, 0L))
                    .sum();
        }
    }

    /** The least limit, without swap. */
    long limitBytes() {
        return groups.stream().map(Level::of).mapToLong(Level::limit).min().orElse(Long.MAX_VALUE);
    }

    /**
     * The bytes that are free at every level and on the host.
     *
     * @param hostMemory the free memory of the host, in bytes
     * @param hostSwap its free swap, in bytes
     */
    long freeBytes(long hostMemory, long hostSwap) {
        long memory = hostMemory;
        long swap = hostSwap;
        long together = Long.MAX_VALUE;
        for (Group group : groups) {
            Level level = Level.of(group);
            memory = Math.min(memory, level.memory);
            swap = Math.min(swap, level.swap);
            together = Math.min(together, level.together);
        }
        return Math.min(memory > Long.MAX_VALUE - swap ? Long.MAX_VALUE : memory + swap, together);
    }
}
