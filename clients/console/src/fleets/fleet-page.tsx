import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Fleet. */
export function FleetPage() {
  return (
    <Page title="Fleet">
      <EmptyState icon="fleet" title="Fleet">
        This page follows.
      </EmptyState>
    </Page>
  )
}
