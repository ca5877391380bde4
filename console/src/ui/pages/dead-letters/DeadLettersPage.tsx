import { EmptyState } from "../../parts/panels";

/** Work that failed for good. */
export function DeadLettersPage() {
  return <EmptyState command="weir dead-letters list">This page is not built yet.</EmptyState>;
}
