import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Objects. */
export function ObjectsPage() {
  return (
    <Page title="Objects">
      <EmptyState icon="plane" title="Objects">
        This page follows.
      </EmptyState>
    </Page>
  )
}
