package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Says which account the operating system has denied what, where, and what to do: Java names the file alone. */
public final class Denied {
    private final String account;
    /** What of the path is in the way: itself, or a folder above it. */
    private final Path at;

    private final String what;

    private Denied(String account, Path path) {
        this.account = account;
        Path closed = closedFolder(path);
        this.at = closed == null ? existing(path) : closed;
        this.what = closed == null ? what(at, at.equals(path)) : "enter";
    }

    /**
     * What this process's account was denied.
     *
     * @param path what it could not open or make
     * @param whole the folder that all of Weir's files lie in
     */
    public static String words(Path path, Path whole) {
        String account = System.getProperty("user.name", "this account");
        return new Denied(account, path.toAbsolutePath().normalize()).words(whole);
    }

    /** The outermost folder above a path that this process may not enter. */
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

    /** The path itself, or the nearest folder above it that is there. */
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
            return "'chmod u+rwx " + at + "' lets it, or give another folder";
        }
        if (what.equals("enter")) {
            return "run Weir as " + owner + ", or let it in ('chmod o+x " + at + "' as " + owner
                    + "), or give another folder";
        }
        if (!at.startsWith(whole)) {
            return "make the folder for it ('mkdir -p " + whole + " && chown " + account + " " + whole + "' as " + owner
                    + "), or give another";
        }
        return "run Weir as " + owner + ", or, while nothing uses the folder, give it to " + account + " ('chown -R "
                + account + " " + whole + "' as root), or give another";
    }

    private String owner() {
        try {
            return Files.getOwner(at).getName();
        } catch (IOException e) {
            return "somebody else";
        }
    }

    private String permissions() {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(at));
        } catch (IOException | UnsupportedOperationException e) {
            return "its permissions are not known";
        }
    }
}
