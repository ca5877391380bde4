import { EmptyState } from "../../parts/panels";

/** The state of the organisation at a glance. */
export function OverviewPage() {
  return <EmptyState command="weir org snapshot">This page is not built yet.</EmptyState>;
}
