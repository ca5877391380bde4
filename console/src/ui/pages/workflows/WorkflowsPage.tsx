import { param } from "../../address";
import { OneWorkflow } from "./OneWorkflow";
import { NewWorkflow, WorkflowList } from "./WorkflowList";

/** Workflows: a list of them, or one. */
export function WorkflowsPage() {
  const name = param("workflow");
  if (name !== "") {
    return <OneWorkflow key={name} name={name} />;
  }
  return param("tab") === "new" ? <NewWorkflow /> : <WorkflowList />;
}
