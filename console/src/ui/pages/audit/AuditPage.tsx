import { EmptyState } from "../../parts/panels";

/** Changes, with their authors. */
export function AuditPage() {
  return <EmptyState command="weir audit">This page is not built yet.</EmptyState>;
}
