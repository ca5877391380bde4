import { get } from "./client";

/** Versions never change, so each definition is read once. */
const definitions = new Map<string, Promise<unknown>>();
const DEFINITIONS_MAX = 500;

/** The definition of a version of a workflow, as JSON. */
export function definitionOf(name: string, version: number): Promise<unknown> {
  const id = `${name}/${version}`;
  let found = definitions.get(id);
  if (!found) {
    if (definitions.size >= DEFINITIONS_MAX) {
      definitions.clear();
    }
    found = get("/v1/workflows/{workflow}", { path: { workflow: name }, query: { version } }).then((view) => view.definition);
    found.catch(() => definitions.delete(id));
    definitions.set(id, found);
  }
  return found;
}
