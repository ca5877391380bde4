import { linkTo } from "../address";
import { runLink } from "./limits";

/** A thing that a notice or an entry of the audit is about: its kind, its name, and the page that shows it. */
export interface Subject {
  kind: string;
  name: string;
  /** Empty if no page shows it. */
  link: string;
}

/** Reads a limit as notices name it: `key:billing`, `workflow_runs:orders`, `run_key:6:orders:acme`, `org_runs`. */
export function limitSubject(text: string): Subject {
  const [kind, rest] = split(text);
  switch (kind) {
    case "key":
      return { kind: "key", name: rest, link: linkTo("flow-control", { key: rest }) };
    case "workflow_runs":
      return { kind: "runs of", name: rest, link: linkTo("limits", { workflow: rest }) };
    case "run_key": {
      const [length, names] = split(rest);
      const workflow = names.slice(0, Number(length));
      const key = names.slice(workflow.length + 1);
      return { kind: "runs of", name: `${workflow}, run key ${key}`, link: linkTo("limits", { workflow, run_key: key }) };
    }
    case "org_runs":
      return { kind: "runs of", name: "the organisation", link: linkTo("limits") };
    default:
      return { kind: "limit", name: text, link: "" };
  }
}

/** Reads the target of an entry of the audit: `key:billing`, `run:order-7`, `step:order-7/pay`, `dead_letter:4`. */
export function targetSubject(text: string): Subject {
  const [kind, rest] = split(text);
  return { kind: kind.replaceAll("_", " "), name: rest, link: targetLink(kind, rest) };
}

function targetLink(kind: string, name: string): string {
  switch (kind) {
    case "key":
      return linkTo("flow-control", { key: name });
    case "run":
      return runLink(name);
    case "step": {
      const [run, step] = name.split("/");
      return runLink(run ?? name, step);
    }
    case "workflow":
      return linkTo("workflows", { workflow: name });
    case "dead_letter":
      return linkTo("dead-letters", { letter: name });
    case "token":
      return linkTo("tokens");
    case "secret":
      return linkTo("secrets");
    default:
      return "";
  }
}

function split(text: string): [string, string] {
  const colon = text.indexOf(":");
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}
