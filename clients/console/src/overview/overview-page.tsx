import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Overview. */
export function OverviewPage() {
  return (
    <Page title="Overview">
      <EmptyState icon="overview" title="Overview">
        This page follows.
      </EmptyState>
    </Page>
  )
}
