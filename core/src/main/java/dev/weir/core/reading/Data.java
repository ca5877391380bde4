package dev.weir.core.reading;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Any YAML 1.2 or JSON, read under the same bounds as a definition, with the place of everything in it. */
public final class Data {
    private final Document document;

    private Data(Document document) {
        this.document = document;
    }

    public static Reading<Data> read(String text) {
        try {
            return new Reading.Accepted<>(new Data(Document.read(text)));
        } catch (Unreadable e) {
            return new Reading.Refused<>(List.of(e.refusal()));
        }
    }

    public JsonNode root() {
        return document.root();
    }

    /** A refusal of a value, by its JSON pointer. */
    public Refusal refuse(String path, String message) {
        return new Refusal(document.valueAt(path), path, message);
    }

    /** A refusal of a name that should not be there. */
    public Refusal refuseName(String path, String message) {
        return new Refusal(document.nameAt(path), path, message);
    }
}
