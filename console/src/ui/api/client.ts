import type { components, paths } from "./generated/schema";
import { reportReached, reportUnreachable } from "../live/connection";
import { endSession } from "./session";

/** The records of the API, by name: `Schemas["KeyView"]`. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "put" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Body<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202)]> : never;
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Sent<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : undefined;

type Values = Record<string, string | number | boolean | string[] | undefined>;

interface Options {
  /** Values of the `{names}` in the path. */
  path?: Record<string, string | number>;
  /** Query parameters; undefined ones are left out, lists are repeated. */
  query?: Values | undefined;
  signal?: AbortSignal | undefined;
}

const REQUEST_TIMEOUT_MS = 20_000;

/** A request that the node refused, in the words of its problem document. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Schemas["Problem"];

  constructor(problem: Schemas["Problem"]) {
    super(problem.detail || problem.title);
    this.status = problem.status;
    this.problem = problem;
  }
}

/** A request that no node responded to. */
export class Unreachable extends Error {
  constructor() {
    super("The node does not respond.");
  }
}

/** Reads a resource. */
export function get<P extends PathWith<"get">>(path: P, options: Options = {}): Promise<Body<Operation<P, "get">>> {
  return send("GET", path, undefined, options);
}

/** Submits a change. A repeated attempt of the same call carries the same idempotency key. */
export function post<P extends PathWith<"post">>(
  path: P,
  body?: Sent<Operation<P, "post">>,
  options: Options = {},
): Promise<Body<Operation<P, "post">>> {
  return send("POST", path, body ?? {}, options);
}

export function put<P extends PathWith<"put">>(
  path: P,
  body: Sent<Operation<P, "put">>,
  options: Options = {},
): Promise<Body<Operation<P, "put">>> {
  return send("PUT", path, body, options);
}

export function patch<P extends PathWith<"patch">>(
  path: P,
  body: Sent<Operation<P, "patch">>,
  options: Options & { version?: number } = {},
): Promise<Body<Operation<P, "patch">>> {
  return send("PATCH", path, body, options, options.version);
}

/** Sends the text of a workflow's definition, in YAML or JSON, so that the node names lines and columns of it. */
export function sendDefinition<T>(method: "PUT" | "POST", path: string, text: string, options: Options = {}): Promise<T> {
  return request(method, path, text, { "Content-Type": "application/yaml" }, options);
}

/** Sends a request to a path that the document of the API does not describe by a type of its own. */
export async function send<T>(
  method: string,
  path: string,
  body: unknown,
  options: Options = {},
  version?: number,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  if (method === "POST") {
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  if (version !== undefined) {
    headers["If-Match"] = `"${version}"`;
  }
  return request(method, path, body === undefined ? null : JSON.stringify(body), headers, options);
}

async function request<T>(
  method: string,
  path: string,
  body: string | null,
  headers: Record<string, string>,
  options: Options,
): Promise<T> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(address(path, options), {
      method,
      headers: { Accept: "application/json", ...headers },
      body,
      cache: "no-store",
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
  } catch (e) {
    if (options.signal?.aborted) {
      throw e;
    }
    reportUnreachable();
    throw new Unreachable();
  }
  return read<T>(response);
}

async function read<T>(response: Response): Promise<T> {
  reportReached(response.headers.get("Date"));
  const text = await response.text();
  if (response.ok) {
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
  const refused = new Refused(problemOf(response.status, text));
  if (response.status === 401) {
    endSession("Your session has ended, or its token was revoked. Sign in again.");
  }
  throw refused;
}

function problemOf(status: number, text: string): Schemas["Problem"] {
  try {
    const problem = JSON.parse(text) as Schemas["Problem"];
    return { ...problem, status };
  } catch {
    return { type: "about:blank", title: `Status ${status}`, status, detail: `The node answered with status ${status}.` };
  }
}

/** Fills the names in a path, and appends the query. */
export function address(path: string, options: Options = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(options.path?.[name] ?? "")));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== "") {
        query.append(name, String(one));
      }
    }
  }
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}
