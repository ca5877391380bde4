package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Explains a denied access to a file: which account was denied what, and how to fix it. Java's exception names only the
 * file.
 */
public final class AccessDenied {
    private final String account;
    /** The path that blocks access: the path itself, or a folder above it. */
    private final Path blockedPath;

    private final String action;

    private AccessDenied(String account, Path path) {
        this.account = account;
        Path closed = closedFolder(path);
        this.blockedPath = closed == null ? nearestExisting(path) : closed;
        this.action = closed == null ? deniedAction(blockedPath, blockedPath.equals(path)) : "enter";
    }

    /**
     * Returns the explanation for this process's account.
     *
     * @param path the path that it could not open or create
     * @param dataFolder the folder that contains all of Weir's files
     */
    public static String explain(Path path, Path dataFolder) {
        String account = System.getProperty("user.name", "this account");
        return new AccessDenied(account, path.toAbsolutePath().normalize()).explain(dataFolder);
    }

    /** Returns the outermost folder above a path that this process may not enter. */
    private static @Nullable Path closedFolder(Path path) {
        Path folder = path.getRoot();
        for (int i = 0; folder != null && i < path.getNameCount(); i++) {
            if (Files.isDirectory(folder) && !Files.isExecutable(folder)) {
                return folder;
            }
            folder = folder.resolve(path.getName(i));
        }
        return null;
    }

    /** Returns the path itself, or the nearest existing folder above it. */
    private static Path nearestExisting(Path path) {
        Path current = path;
        while (current.getParent() != null && !Files.exists(current, LinkOption.NOFOLLOW_LINKS)) {
            current = current.getParent();
        }
        return current;
    }

    private static String deniedAction(Path current, boolean isTarget) {
        if (isTarget && !Files.isReadable(current)) {
            return "read";
        }
        if (Files.isDirectory(current) && !Files.isExecutable(current)) {
            return "enter";
        }
        return Files.isWritable(current) ? "use" : "write to";
    }

    private String explain(Path dataFolder) {
        String owner = owner();
        return account + " may not " + action + " " + blockedPath + ", which belongs to " + owner + " (" + permissions()
                + "): " + advice(owner, dataFolder.toAbsolutePath().normalize());
    }

    private String advice(String owner, Path dataFolder) {
        if (owner.equals(account)) {
            return "run 'chmod u+rwx " + blockedPath + "', or choose another folder";
        }
        if (action.equals("enter")) {
            return "run Weir as " + owner + ", or run 'chmod o+x " + blockedPath + "' as " + owner
                    + ", or choose another folder";
        }
        if (!blockedPath.startsWith(dataFolder)) {
            return "create the folder (run 'mkdir -p " + dataFolder + " && chown " + account + " " + dataFolder
                    + "' as " + owner + "), or choose another one";
        }
        return "run Weir as " + owner + ", or, while nothing uses the folder, run 'chown -R " + account + " "
                + dataFolder + "' as root, or choose another folder";
    }

    private String owner() {
        try {
            return Files.getOwner(blockedPath).getName();
        } catch (IOException e) {
            return "another user";
        }
    }

    private String permissions() {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(blockedPath));
        } catch (IOException | UnsupportedOperationException e) {
            return "unknown permissions";
        }
    }
}
