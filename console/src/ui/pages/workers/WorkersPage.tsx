import { EmptyState } from "../../parts/panels";

/** Modules and the workers that serve them. */
export function WorkersPage() {
  return <EmptyState command="weir modules">This page is not built yet.</EmptyState>;
}
