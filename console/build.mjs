// Builds the console into src/main/resources, from where the jar carries it. The built files are committed, so that
// nobody needs Node to build Weir. `node build.mjs --serve` serves the console from memory instead, rebuilds it after
// every change, and passes API requests on to the node at WEIR_URL, with WEIR_TOKEN if nobody has signed in.
import { build, context } from "esbuild";
import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const target = resolve(home, process.env.WEIR_CONSOLE_TARGET ?? "src/main/resources/dev/weir/console");

const options = {
  absWorkingDir: home,
  entryPoints: { app: "src/ui/main.tsx" },
  outdir: join(target, "assets"),
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  chunkNames: "[name]-[hash]",
  loader: { ".svg": "text" },
  legalComments: "none",
  logLevel: "info",
};

if (process.argv.includes("--serve")) {
  await serve();
} else {
  await rm(join(target, "assets"), { recursive: true, force: true });
  await mkdir(join(target, "assets"), { recursive: true });
  await build(options);
  await copyFile(join(home, "src/ui/index.html"), join(target, "index.html"));
}

async function serve() {
  const files = new Map();
  const keep = {
    name: "keep in memory",
    setup(esbuild) {
      esbuild.onEnd((result) => result.outputFiles?.forEach((file) => files.set(file.path.split("/").pop(), file.contents)));
    },
  };
  const watched = await context({ ...options, write: false, minify: false, sourcemap: "inline", plugins: [keep] });
  await watched.watch();
  const node = new URL(process.env.WEIR_URL ?? "http://127.0.0.1:7077");
  const port = Number(process.env.PORT ?? 7078);
  createServer(async (request, response) => {
    const path = request.url.split("?")[0];
    if (/^\/(v1|health|metrics)(\/|$)/.test(path)) {
      passOn(node, request, response);
    } else if (path.startsWith("/assets/")) {
      const content = files.get(path.slice("/assets/".length));
      const type = path.endsWith(".css") ? "text/css" : "text/javascript";
      response.writeHead(content ? 200 : 404, { "Content-Type": type, "Cache-Control": "no-store" }).end(content);
    } else {
      response.writeHead(200, { "Content-Type": "text/html" }).end(await readFile(join(home, "src/ui/index.html")));
    }
  }).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/ → ${node}`));
}

function passOn(node, request, response) {
  const headers = { ...request.headers, host: node.host };
  if (headers.origin) {
    headers.origin = node.origin;
  }
  if (process.env.WEIR_TOKEN && !headers.cookie?.includes("weir")) {
    headers.authorization = `Bearer ${process.env.WEIR_TOKEN}`;
  }
  const passed = httpRequest(new URL(request.url, node), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on("error", () => response.writeHead(502).end());
  response.on("close", () => passed.destroy());
  request.pipe(passed);
}
