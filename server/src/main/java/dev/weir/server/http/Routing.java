package dev.weir.server.http;

/** Where paths are given what answers them. */
public interface Routing {
    /** A path for those with a token. */
    void on(Method method, String path, Endpoint endpoint);

    /** A path for everybody. It is not told who asks. */
    void open(Method method, String path, Endpoint endpoint);

    /** The methods that the API has. */
    enum Method {
        GET,
        POST,
        PUT
    }
}
