import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Fleets. */
export function FleetsPage() {
  return (
    <Page title="Fleets">
      <EmptyState icon="fleet" title="Fleets">
        This page follows.
      </EmptyState>
    </Page>
  )
}
