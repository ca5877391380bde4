import { EmptyState } from "../../parts/panels";

/** Limits on runs, with the quota beside them. */
export function LimitsPage() {
  return <EmptyState command="weir limits">This page is not built yet.</EmptyState>;
}
