package com.example.mappedfile;

import io.devicearena.DeviceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A file mapped into memory, and what unmaps it. */
final class ArenaFile {
    /**
     * The kept files that this process has open. A process's locks on a file end when it closes any channel to it, so a
     * second channel must not even be opened.
     */
    private static final Set<Object> OPEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;
    private final boolean kept;
    private final Object key;
    private final Arena owner = Arena.ofShared();
    private final MemorySegment memory;

    private ArenaFile(Path path, FileChannel channel, long bytes, boolean kept, Object key) throws IOException {
        this.path = path;
        this.channel = channel;
        this.kept = kept;
        this.key = key;
        this.memory = channel.map(MapMode.READ_WRITE, 0, bytes, owner); // grows a new file: the new bytes are zero
    }

    /** Maps a new file of zeros that is deleted when it is released, or when the process ends. */
    static ArenaFile temporary(Path folder, long bytes) throws IOException {
        Folders.requireRoom(folder, bytes);
        Path path = Files.createTempFile(folder, "arena-", ".bytes");
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        try {
            return new ArenaFile(path, channel, bytes, false, path);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Maps a file that stays: a new one of zeros, or one that was made with the same label before. */
    static ArenaFile kept(Path path, long bytes, FileLabel label) throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            // then it is opened again
        }
        Object key = Objects.requireNonNullElseGet(
                Files.readAttributes(path, BasicFileAttributes.class).fileKey(), path.toRealPath()::toString);
        if (!OPEN.add(key)) {
            throw inUse(path, "this process");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock(path, channel);
            if (channel.size() == 0) {
                Folders.requireRoom(path.toAbsolutePath().getParent(), bytes);
                label.write(channel, bytes);
                forceName(path);
            } else {
                label.require(path, channel, bytes);
            }
            return new ArenaFile(path, channel, bytes, true, key);
        } catch (IOException | RuntimeException | Error e) {
            if (channel != null) {
                channel.close();
            }
            OPEN.remove(key);
            throw e;
        }
    }

    private static void lock(Path path, FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(path, "another process");
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(path, "this process");
        }
    }

    private static IOException inUse(Path path, String user) {
        return new IOException("file '" + path + "' is already open in " + user
                + "; close that arena first, or open another file");
    }

    /** A new file survives a loss of power when its name does. */
    private static void forceName(Path path) {
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        } catch (IOException e) {
            // some systems cannot open a folder; those write names at once
        }
    }

    MemorySegment memory() {
        return memory;
    }

    /** Waits until the disk has the bytes. A temporary file does not need that. */
    void force() {
        if (!kept) {
            return;
        }
        try {
            memory.force();
        } catch (UncheckedIOException e) {
            throw new DeviceException(this + " could not be written to the disk: " + e.getMessage(), e);
        }
    }

    /**
     * Forces, unmaps and unlocks the file, or leaves it as it is and throws. No call may use the memory any more.
     *
     * @throws IllegalStateException if a native call is using the memory; a call after it has returned releases it
     * @throws DeviceException if the bytes could not be written to the disk; another call may succeed
     */
    void release() {
        force();
        try {
            owner.close();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    this + ": a native call still uses the memory of the arena; close the arena again when it has returned",
                    e);
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new DeviceException(this + " could not be closed: " + e, e);
        } finally {
            OPEN.remove(key);
        }
    }

    @Override
    public String toString() {
        return "file '" + path + "'";
    }
}
