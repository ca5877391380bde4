package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The account under which PostgreSQL runs, and the way to switch to it. PostgreSQL refuses to run as root, so root has
 * to step down.
 *
 * @param description a description for people
 * @param uid the owner of PostgreSQL's files, as seen from outside
 * @param prefix the command that precedes a program and its arguments
 */
record ServerAccount(String description, int uid, int gid, List<String> prefix) {
    static final int ROOT = 0;

    /** The accounts that root may step down to: one created for Weir, or else one that exists on every system. */
    private static final List<String> ORDINARY_USERS = List.of("weir", "nobody");

    /**
     * A script that says why a folder cannot be used. Its arguments are the folder and all its parents, the outermost
     * first.
     */
    private static final String PROBE_SCRIPT = """
            [ "$(id -u)" != 0 ] || { echo 'it is still root'; exit 1; }
            for folder in "$@"; do
                [ -x "$folder" ] || { echo "it may not enter $folder (allow it with chmod o+x)"; exit 1; }
            done
            """;

    /** An account of the operating system. */
    record User(String name, int uid, int gid) {}

    static ServerAccount choose(DataDirectory home) throws IOException {
        var data = home.data();
        var owner = owner(Files.exists(data) ? data : home.directory());
        var ownUid = readNumber(home, List.of("id", "-u"));
        if (ownUid == ROOT) {
            return dropPrivileges(home, owner);
        }
        if (Files.exists(data) && owner.uid() != ownUid) {
            throw new OpenFailed(data + " belongs to " + owner.name() + " (uid " + owner.uid()
                    + "), but this process runs"
                    + " as uid " + ownUid + "; run it as " + owner.name()
                    + ", or, while nothing uses the directory, run"
                    + " 'chown -R " + ownUid + " " + home.directory() + "' as root");
        }
        return new ServerAccount("the user of this process", ownUid, owner.gid(), List.of());
    }

    List<String> command(List<String> command) {
        return Stream.concat(prefix.stream(), command.stream()).toList();
    }

    /** Makes this account the owner of a file or folder. */
    void chown(Path path) throws IOException {
        if ((int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) != uid) {
            Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static ServerAccount dropPrivileges(DataDirectory home, User owner) throws IOException {
        var refusals = new ArrayList<String>();
        for (var account : candidates(home, owner)) {
            var refusal = account.refusal(home);
            if (refusal.isEmpty()) {
                return account;
            }
            refusals.add(account.description + ": " + refusal);
        }
        throw new OpenFailed("PostgreSQL does not run as root, and no other user can access " + home.directory()
                + ". Run Weir as an ordinary user, or make one of these work:\n  " + String.join("\n  ", refusals));
    }

    static List<ServerAccount> candidates(DataDirectory home, User owner) throws IOException {
        var userNamespace =
                new ServerAccount("unshare -U (a user namespace)", ROOT, ROOT, List.of("unshare", "-U", "--"));
        if (owner.uid() != ROOT) {
            return List.of(bySetpriv(owner), byRunuser(owner), bySu(owner));
        }
        if (Files.exists(home.data())) {
            return List.of(userNamespace);
        }
        var users = ordinaryUsers(home);
        var candidates = new ArrayList<ServerAccount>();
        users.forEach(user -> candidates.add(bySetpriv(user)));
        candidates.add(userNamespace);
        users.forEach(user -> candidates.add(byRunuser(user)));
        users.forEach(user -> candidates.add(bySu(user)));
        return candidates;
    }

    private static ServerAccount bySetpriv(User user) {
        var prefix = List.of("setpriv", "--reuid=" + user.uid(), "--regid=" + user.gid(), "--clear-groups", "--");
        return new ServerAccount("setpriv to " + user.name(), user.uid(), user.gid(), prefix);
    }

    private static ServerAccount byRunuser(User user) {
        return new ServerAccount(
                "runuser to " + user.name(), user.uid(), user.gid(), List.of("runuser", "-u", user.name(), "--"));
    }

    private static ServerAccount bySu(User user) {
        var prefix = List.of("su", "-s", "/bin/sh", "-c", "exec \"$@\"", "--", user.name(), "sh");
        return new ServerAccount("su to " + user.name(), user.uid(), user.gid(), prefix);
    }

    /** Returns the reason why this account cannot be used here; empty if it can. */
    String refusal(DataDirectory home) throws IOException {
        if (!ExternalCommand.isInstalled(prefix.getFirst())) {
            return "the program " + prefix.getFirst() + " is not installed";
        }
        var command = new ArrayList<>(List.of("sh", "-c", PROBE_SCRIPT, "sh"));
        var folders = new ArrayList<String>();
        for (var folder = home.directory(); folder != null; folder = folder.getParent()) {
            folders.addFirst(folder.toString());
        }
        command.addAll(folders);
        var outcome = ExternalCommand.run(Path.of("/"), command(command));
        if (outcome.exitCode() == 0) {
            return "";
        }
        return outcome.output().isEmpty() ? "it ended with exit code " + outcome.exitCode() : outcome.output();
    }

    private static List<User> ordinaryUsers(DataDirectory home) throws IOException {
        var users = new ArrayList<User>();
        for (var name : ORDINARY_USERS) {
            if (ExternalCommand.run(home.directory(), List.of("id", "-u", name)).exitCode() == 0) {
                var uid = readNumber(home, List.of("id", "-u", name));
                users.add(new User(name, uid, readNumber(home, List.of("id", "-g", name))));
            }
        }
        return users;
    }

    static User owner(Path path) throws IOException {
        var uid = (int) Files.getAttribute(path, "unix:uid");
        var gid = (int) Files.getAttribute(path, "unix:gid");
        return new User(Files.getOwner(path).getName(), uid, gid);
    }

    private static int readNumber(DataDirectory home, List<String> command) throws IOException {
        var outcome = ExternalCommand.run(home.directory(), command);
        try {
            return Integer.parseInt(outcome.output());
        } catch (NumberFormatException e) {
            var message =
                    "expected a number from '" + String.join(" ", command) + "', found '" + outcome.output() + "'";
            throw new OpenFailed(message, e);
        }
    }
}
