package dev.weir.server.http;

/** Handles the requests of one path and method. */
@FunctionalInterface
public interface Endpoint {
    Response handle(Request request) throws Exception;
}
