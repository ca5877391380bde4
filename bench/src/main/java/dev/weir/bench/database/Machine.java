package dev.weir.bench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What else the machine does meanwhile. */
final class Machine {
    private static final Path LOAD = Path.of("/proc/loadavg");

    private Machine() {}

    /** The load of the last minute, this benchmark included; nothing where the system does not tell. */
    static String load() {
        try {
            return "load " + Files.readString(LOAD).split(" ", 2)[0] + " on "
                    + Runtime.getRuntime().availableProcessors() + " cores";
        } catch (IOException e) {
            return "load not known";
        }
    }
}
