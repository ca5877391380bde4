import { param } from "../../address";
import { RunList } from "./RunList";
import { RunDetail } from "./RunDetail";
import "./runs.css";

/** Runs: a list of them, or one. */
export function RunsPage() {
  const run = param("run");
  return run === "" ? <RunList /> : <RunDetail key={run} id={run} />;
}
