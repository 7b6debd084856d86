import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Object. */
export function ObjectPage() {
  return (
    <Page title="Object">
      <EmptyState icon="plane" title="Object">
        This page follows.
      </EmptyState>
    </Page>
  )
}
