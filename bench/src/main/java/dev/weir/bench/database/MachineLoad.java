package dev.weir.bench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The load of the machine during a benchmark. */
final class MachineLoad {
    private static final Path LOAD_FILE = Path.of("/proc/loadavg");

    private MachineLoad() {}

    /** Describes the load of the last minute, including this benchmark, if the system reports it. */
    static String describe() {
        try {
            return "load " + Files.readString(LOAD_FILE).split(" ", 2)[0] + " on "
                    + Runtime.getRuntime().availableProcessors() + " cores";
        } catch (IOException e) {
            return "load not known";
        }
    }
}
