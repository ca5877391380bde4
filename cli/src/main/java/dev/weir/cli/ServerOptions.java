package dev.weir.cli;

import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the server. Commands include them as a {@code @Mixin}. */
final class ServerOptions {
    /** The default data directory of {@code weir up}. */
    static final String DATA_FOLDER = ".weir";

    private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String DEFAULT_URL = "http://127.0.0.1:7077";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The URL of the server (default: $$WEIR_URL, or else the URL that `weir up` stored in .weir"
                    + " in this folder or a parent folder).")
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The API token (default: $$WEIR_TOKEN, or else the token that `weir up` stored).")
    private @Nullable String token;

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory of `weir up` (default: .weir).")
    private @Nullable Path data;

    Client client() throws IOException {
        return new Client(connection(System.getenv(), Path.of("")).withRetryTimeout(Duration.ZERO));
    }

    /** Returns a client that keeps retrying while the server restarts. */
    Client retryingClient() throws IOException {
        return new Client(connection(System.getenv(), Path.of("")));
    }

    /**
     * Returns the connection from the command line, or else from the environment, or else from the profile of a
     * server on this machine.
     */
    Connection connection(Map<String, String> environment, Path workingFolder) throws IOException {
        try {
            return connection(environment, workingFolder, findProfile(workingFolder));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Connection connection(
            Map<String, String> environment, Path workingFolder, Optional<LocalProfile> storedProfile)
            throws IOException {
        String serverUrl = url != null
                ? url
                : environment.getOrDefault(
                        "WEIR_URL", storedProfile.map(LocalProfile::url).orElse(DEFAULT_URL));
        String apiToken = token != null
                ? token
                : environment.getOrDefault(
                        "WEIR_TOKEN",
                        storedProfile
                                .filter(profile -> canSendToken(profile, serverUrl))
                                .map(LocalProfile::token)
                                .orElse(""));
        if (apiToken.isEmpty()) {
            throw new IOException(
                    "no API token for " + serverUrl + ". Pass --token, set WEIR_TOKEN, or run the command "
                            + findUnreadableProfile(workingFolder)
                                    .map(file -> "as a user who may read " + file + " ("
                                            + System.getProperty("user.name") + " may not)")
                                    .orElse("in the folder of `weir up`, which stores its token in " + DATA_FOLDER));
        }
        var connection =
                new Connection(URI.create(serverUrl), apiToken, Connection.DEFAULT_RETRY_TIMEOUT).withOrigin("cli");
        return certificate(environment, storedProfile, serverUrl)
                .map(connection::withCertificate)
                .orElse(connection);
    }

    /** Returns the certificate to trust: that of the environment, or else that of the node on this machine. */
    private static Optional<Path> certificate(
            Map<String, String> environment, Optional<LocalProfile> storedProfile, String serverUrl) {
        return Optional.ofNullable(environment.get("WEIR_CERTIFICATE"))
                .filter(file -> !file.isEmpty())
                .or(() -> storedProfile
                        .filter(profile -> profile.url().equals(serverUrl))
                        .map(LocalProfile::certificate))
                .map(Path::of);
    }

    /**
     * Returns true if the token of the profile may be sent to this server: the one it was made for, or another on
     * this machine.
     */
    private static boolean canSendToken(LocalProfile storedProfile, String serverUrl) {
        String host = URI.create(serverUrl).getHost();
        return URI.create(storedProfile.url())
                        .getAuthority()
                        .equals(URI.create(serverUrl).getAuthority())
                || (host != null && LOCAL_HOSTS.contains(host));
    }

    /**
     * Returns a folder that the user named. An empty name is refused: it is mostly an unset variable, and would
     * mean the current folder.
     */
    static Path requireFolder(Path path) {
        if (path.toString().isBlank()) {
            throw new IllegalArgumentException("--data: expected a folder, found an empty name");
        }
        return path;
    }

    /**
     * Returns the folders that may hold a profile: the one that the user named, or the default one here and in the
     * parent folders.
     */
    private List<Path> profileFolders(Path workingFolder) {
        if (data != null) {
            return List.of(requireFolder(data));
        }
        List<Path> folders = new ArrayList<>();
        for (Path folder = workingFolder.toAbsolutePath(); folder != null; folder = folder.getParent()) {
            folders.add(folder.resolve(DATA_FOLDER));
        }
        return folders;
    }

    private Optional<LocalProfile> findProfile(Path workingFolder) throws IOException {
        for (Path folder : profileFolders(workingFolder)) {
            Optional<LocalProfile> found = LocalProfile.find(folder);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Path> findUnreadableProfile(Path workingFolder) {
        return profileFolders(workingFolder).stream()
                .flatMap(folder -> LocalProfile.findUnreadable(folder).stream())
                .findFirst();
    }
}
