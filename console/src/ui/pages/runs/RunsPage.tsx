import { EmptyState } from "../../parts/panels";

/** Runs: a list of them, or one. */
export function RunsPage() {
  return <EmptyState command="weir runs">This page is not built yet.</EmptyState>;
}
