package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/**
 * Requests of one organisation, during which all sessions of the node at its PostgreSQL server are terminated. A request
 * is repeated until it is answered.
 */
final class DisturbedRequests {
    /** The attempts of a request during which the sessions are terminated, and the attempts in all. */
    private static final int DISTURBED_ATTEMPTS = 2;

    static final int ATTEMPTS_MAX = 60;

    private final PostgresNode node;
    private final String org;
    private int terminated;

    DisturbedRequests(PostgresNode node, String org) {
        this.node = node;
        this.org = org;
        node.createOrganisation(org);
    }

    /** Repeats a request until it is answered, and terminates sessions during the first attempts. */
    JsonNode send(String method, String path, String body, Map<String, String> headers) {
        String last = "";
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            CompletableFuture<Integer> disturbing = attempt <= DISTURBED_ATTEMPTS
                    ? CompletableFuture.supplyAsync(this::terminateSessions)
                    : CompletableFuture.completedFuture(0);
            try {
                var got = node.send(org, method, path, body.replace('\'', '"'), headers);
                last = got.toString();
                if (got.status() < 300) {
                    return got.json();
                }
                assertThat(got.status()).as(method + " " + path + ": " + got).isIn(429, 503);
            } catch (UncheckedIOException e) {
                last = e.toString();
            } finally {
                terminated += disturbing.join();
            }
        }
        throw new AssertionError("expected " + method + " " + path + " to succeed in the end, found " + last);
    }

    JsonNode post(String path, String body) {
        return send("POST", path, body, Map.of());
    }

    /** The number of sessions that were terminated so far. */
    int terminated() {
        return terminated;
    }

    private int terminateSessions() {
        return Math.toIntExact(number("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                + " where application_name in ('weir', 'weir journal', 'weir loads')"));
    }

    /** Returns the number that a query finds, as the superuser. */
    long number(String query) {
        try (var connection = node.connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads without a disturbance. */
    JsonNode read(String path) {
        var got = node.send(org, "GET", path, null, Map.of());
        for (int attempt = 1; got.status() == 503 && attempt < ATTEMPTS_MAX; attempt++) {
            got = node.send(org, "GET", path, null, Map.of());
        }
        assertThat(got.status()).as(got.toString()).isEqualTo(200);
        return got.json();
    }
}
