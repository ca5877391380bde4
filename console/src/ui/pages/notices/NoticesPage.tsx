import { EmptyState } from "../../parts/panels";

/** Notices about limits that are nearly or entirely full. */
export function NoticesPage() {
  return <EmptyState command="weir notices">This page is not built yet.</EmptyState>;
}
