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
    private final Path at;

    private final String what;

    private AccessDenied(String account, Path path) {
        this.account = account;
        Path closed = closedFolder(path);
        this.at = closed == null ? existing(path) : closed;
        this.what = closed == null ? what(at, at.equals(path)) : "enter";
    }

    /**
     * Returns the explanation for this process's account.
     *
     * @param path the path that it could not open or create
     * @param whole the folder that contains all of Weir's files
     */
    public static String words(Path path, Path whole) {
        String account = System.getProperty("user.name", "this account");
        return new AccessDenied(account, path.toAbsolutePath().normalize()).words(whole);
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
    private static Path existing(Path path) {
        Path at = path;
        while (at.getParent() != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
            at = at.getParent();
        }
        return at;
    }

    private static String what(Path at, boolean itself) {
        if (itself && !Files.isReadable(at)) {
            return "read";
        }
        if (Files.isDirectory(at) && !Files.isExecutable(at)) {
            return "enter";
        }
        return Files.isWritable(at) ? "use" : "write to";
    }

    private String words(Path whole) {
        String owner = owner();
        return account + " may not " + what + " " + at + ", which belongs to " + owner + " (" + permissions() + "): "
                + remedy(owner, whole.toAbsolutePath().normalize());
    }

    private String remedy(String owner, Path whole) {
        if (owner.equals(account)) {
            return "run 'chmod u+rwx " + at + "', or choose another folder";
        }
        if (what.equals("enter")) {
            return "run Weir as " + owner + ", or run 'chmod o+x " + at + "' as " + owner
                    + ", or choose another folder";
        }
        if (!at.startsWith(whole)) {
            return "create the folder (run 'mkdir -p " + whole + " && chown " + account + " " + whole + "' as " + owner
                    + "), or choose another one";
        }
        return "run Weir as " + owner + ", or, while nothing uses the folder, run 'chown -R " + account + " " + whole
                + "' as root, or choose another folder";
    }

    private String owner() {
        try {
            return Files.getOwner(at).getName();
        } catch (IOException e) {
            return "another user";
        }
    }

    private String permissions() {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(at));
        } catch (IOException | UnsupportedOperationException e) {
            return "unknown permissions";
        }
    }
}
