package dev.weir.core.reading;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads any YAML 1.2 or JSON under the same bounds as a definition, and records the position of every value. */
public final class DataReader {
    private final SourceDocument document;

    private DataReader(SourceDocument document) {
        this.document = document;
    }

    public static ReadResult<DataReader> read(String text) {
        try {
            return new ReadResult.Accepted<>(new DataReader(SourceDocument.read(text)));
        } catch (UnreadableText e) {
            return new ReadResult.Refused<>(List.of(e.problem()));
        }
    }

    public JsonNode root() {
        return document.root();
    }

    /** Returns a problem with the value at a JSON pointer. */
    public ReadProblem problemAt(String path, String message) {
        return new ReadProblem(document.valueAt(path), path, message);
    }

    /** Returns a problem with a name that should not be there. */
    public ReadProblem problemAtName(String path, String message) {
        return new ReadProblem(document.nameAt(path), path, message);
    }
}
