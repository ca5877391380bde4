import { EmptyState } from "../../parts/panels";

/** Names of the organisation's secrets. */
export function SecretsPage() {
  return <EmptyState command="weir secrets list">This page is not built yet.</EmptyState>;
}
