package dev.weir.server.http;

import dev.weir.core.state.Permission;

/** Registers the endpoints of paths. */
public interface Routing {
    /** Registers a path that requires an API token, or a session, with a permission. */
    void route(Method method, String path, Permission permission, Endpoint endpoint);

    /** Registers a path that anyone may use. Its endpoint does not learn who the caller is. */
    void routePublic(Method method, String path, Endpoint endpoint);

    /** Registers a file for browsers, which is no part of the API. Anyone may read it. */
    void page(String path, Endpoint endpoint);

    /** Registers a path that requires an API token, or a session, and answers GET with a stream of server-sent events. */
    void stream(String path, Permission permission, StreamEndpoint endpoint);

    /** Registers a short check that the server repeats about twice a second. */
    void repeat(Runnable check);

    /** The HTTP methods of the API. */
    enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }
}
