package dev.weir.server;

import java.util.List;
import java.util.TreeMap;

/** The text of an answer without what differs between two requests for ids that the caller may not see. */
final class ComparableAnswer {
    private ComparableAnswer() {}

    static String of(PostgresNode.Answer answer) {
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers());
        List.of("date", "content-length", "weir-request-id", "x-request-id").forEach(headers::remove);
        return normalised(answer.status() + " " + headers + " " + answer.body());
    }

    /** Replaces the ids of the request, and what differs between two equal requests: times and random parts. */
    private static String normalised(String text) {
        return text.replace(String.valueOf(IsolationMatrixTest.GIVEN_IDS.get("operation")), "OPERATION")
                .replace("bulk-00000000-0000-4000-8000-000000000000", "OPERATION")
                .replace(IsolationMatrixTest.FOREIGN_WORD, "WORD")
                .replace(IsolationMatrixTest.UNKNOWN_WORD, "WORD")
                .replace(IsolationMatrixTest.WITH_FOREIGN, "ORG")
                .replace(IsolationMatrixTest.WITH_UNKNOWN, "ORG")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
                .replaceAll("weir_[A-Za-z0-9_-]+", "SECRET")
                .replaceAll("[0-9a-f]{11,}", "HEX")
                .replaceAll("\\d+\\.\\d+", "NUMBER")
                .replaceAll("\\d{4,}", "NUMBER")
                .replaceAll("retry-after=\\[\\d+]", "RETRY");
    }
}
