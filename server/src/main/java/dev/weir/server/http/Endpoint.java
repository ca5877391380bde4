package dev.weir.server.http;

/** Answers the requests of one path and method. */
@FunctionalInterface
public interface Endpoint {
    Answer answer(Request request) throws Exception;
}
