import { EmptyState } from "../../parts/panels";

/** Workflows: a list of them, or one. */
export function WorkflowsPage() {
  return <EmptyState command="weir workflows">This page is not built yet.</EmptyState>;
}
