package dev.weir.core.state;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The way by which a change reached Weir. */
public enum ChangeOrigin {
    /** A program that uses the HTTP API. */
    API,
    /** The command line. */
    CLI,
    /** A web page of the node. */
    CONSOLE,
    /** A schedule of a workflow. */
    SCHEDULE,
    /** The Java program that contains the node. */
    PROGRAM,
    /** Weir itself. */
    WEIR;

    /** The word for it in rows and on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ChangeOrigin> find(String word) {
        return Arrays.stream(values())
                .filter(origin -> origin.word().equals(word))
                .findFirst();
    }
}
