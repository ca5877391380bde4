import { EmptyState } from "../../parts/panels";

/** API tokens of the organisation. */
export function TokensPage() {
  return <EmptyState command="weir tokens list">This page is not built yet.</EmptyState>;
}
