package dev.weir.cli;

import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.Profile;
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

/** Which server a command speaks to; a command takes it in as a {@code @Mixin}. */
final class Remote {
    /** The folder that {@code weir up} keeps its things in. */
    static final String DATA_FOLDER = ".weir";

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String URL_USUAL = "http://127.0.0.1:7077";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server (default: $$WEIR_URL, else the one that 'weir up' noted in .weir here or above).")
    private @Nullable String url;

    @Option(names = "--token", paramLabel = "TOKEN", description = "The API token (default: $$WEIR_TOKEN, else noted).")
    private @Nullable String token;

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory of 'weir up' (default: .weir).")
    private @Nullable Path data;

    Client client() throws IOException {
        return new Client(connection(System.getenv(), Path.of("")).withPatience(Duration.ZERO));
    }

    /** A client that goes on through restarts of the server. */
    Client patientClient() throws IOException {
        return new Client(connection(System.getenv(), Path.of("")));
    }

    /** What was asked for on the command line, else in the environment, else noted by a server on this machine. */
    Connection connection(Map<String, String> environment, Path here) throws IOException {
        try {
            return connection(environment, here, profile(here));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Connection connection(Map<String, String> environment, Path here, Optional<Profile> noted)
            throws IOException {
        String where = url != null
                ? url
                : environment.getOrDefault("WEIR_URL", noted.map(Profile::url).orElse(URL_USUAL));
        String as = token != null
                ? token
                : environment.getOrDefault(
                        "WEIR_TOKEN",
                        noted.filter(profile -> isFor(profile, where))
                                .map(Profile::token)
                                .orElse(""));
        if (as.isEmpty()) {
            throw new IOException("expected an API token for " + where + ", found none: give --token or WEIR_TOKEN, or "
                    + unreadable(here)
                            .map(file -> "run this as an account that may read " + file + ": "
                                    + System.getProperty("user.name") + " may not")
                            .orElse("run this in the folder where 'weir up' runs (it notes its token in " + DATA_FOLDER
                                    + ")"));
        }
        return new Connection(URI.create(where), as, Connection.PATIENCE_USUAL);
    }

    /** Whether the token that was noted is meant for that server: it goes nowhere else, save to this machine. */
    private static boolean isFor(Profile noted, String where) {
        String host = URI.create(where).getHost();
        return URI.create(noted.url()).getAuthority().equals(URI.create(where).getAuthority())
                || (host != null && THIS_MACHINE.contains(host));
    }

    /** A folder that was named; an empty name is mostly a variable that is not set, and would mean the current one. */
    static Path folder(Path named) {
        if (named.toString().isBlank()) {
            throw new IllegalArgumentException("--data: expected a folder, found an empty name");
        }
        return named;
    }

    /** Where a server may have noted how to reach it: the folder that was named, or the usual one here and above. */
    private List<Path> folders(Path here) {
        if (data != null) {
            return List.of(folder(data));
        }
        List<Path> folders = new ArrayList<>();
        for (Path at = here.toAbsolutePath(); at != null; at = at.getParent()) {
            folders.add(at.resolve(DATA_FOLDER));
        }
        return folders;
    }

    private Optional<Profile> profile(Path here) throws IOException {
        for (Path folder : folders(here)) {
            Optional<Profile> found = Profile.find(folder);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Path> unreadable(Path here) {
        return folders(here).stream()
                .flatMap(folder -> Profile.findUnreadable(folder).stream())
                .findFirst();
    }
}
