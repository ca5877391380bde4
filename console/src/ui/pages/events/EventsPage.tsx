import { EmptyState } from "../../parts/panels";

/** Events that arrived, and schedules. */
export function EventsPage() {
  return <EmptyState command="weir events">This page is not built yet.</EmptyState>;
}
