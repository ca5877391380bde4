package dev.weir.server.routes;

/** The page that a browser shows at the root path. */
final class LandingPage {
    private LandingPage() {}

    static String html() {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Weir</title>
                <style>
                  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
                  code { background: #8882; padding: .1em .3em; border-radius: .2em; }
                  :root { color-scheme: light dark; }
                </style>
                </head>
                <body>
                <h1>Weir</h1>
                <p>This is a node of Weir, a durable workflow engine. It starts every step the moment all its limits
                allow, never sooner, and explains why a step waits.</p>
                <ul>
                  <li><a href="/v1/openapi.json">The API</a>, OpenAPI 3.1; requests need the header
                      <code>Authorization: Bearer TOKEN</code></li>
                  <li><a href="/v1/workflow.schema.json">JSON Schema of a workflow</a></li>
                  <li><a href="/health/ready">Health</a> and <a href="/metrics">metrics</a></li>
                </ul>
                <p>On the command line: <code>weir apply FILE</code>, <code>weir start WORKFLOW</code>,
                <code>weir runs</code>, <code>weir why RUN</code>, <code>weir keys</code>.</p>
                </body>
                </html>
                """;
    }
}
