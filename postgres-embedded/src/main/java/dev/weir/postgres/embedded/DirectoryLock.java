package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock that lets one process at a time own a data directory. The operating system frees it when that process dies.
 */
final class DirectoryLock implements AutoCloseable {
    /** The most bytes of a pid and its line end. */
    private static final int PID_BYTES_MAX = 32;

    /**
     * The directories that this process owns. It must know them without opening their lock files: when a process closes
     * any descriptor of a file, it loses its lock on that file.
     */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    static DirectoryLock acquire(DataDirectory home) throws IOException {
        if (!LOCKED.add(home.directory())) {
            throw inUse(
                    home, "this process itself, pid " + ProcessHandle.current().pid());
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    home.lock(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw inUse(home, "the process with pid " + readPid(channel));
            }
            channel.truncate(0);
            channel.write(
                    StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            return new DirectoryLock(home.directory(), channel);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            LOCKED.remove(home.directory());
            if (e instanceof OpenFailed) {
                throw e;
            }
            throw new OpenFailed("cannot lock " + home.lock() + ": " + FailureAdvice.describe(e, home.directory()), e);
        }
    }

    private static OpenFailed inUse(DataDirectory home, String owner) {
        return new OpenFailed("the data directory " + home.directory() + " is in use by " + owner
                + ": only one process can use it; stop that process, or choose another directory");
    }

    private static String readPid(FileChannel channel) throws IOException {
        var buffer = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(buffer, 0);
        var pid = StandardCharsets.US_ASCII.decode(buffer.flip()).toString().strip();
        return pid.isEmpty() ? "not written yet" : pid;
    }

    @Override
    public synchronized void close() throws IOException {
        if (!channel.isOpen()) {
            return; // by now the directory may have another owner in this process
        }
        try {
            channel.close();
        } finally {
            LOCKED.remove(directory);
        }
    }
}
