import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Create. */
export function CreatePage() {
  return (
    <Page title="Create">
      <EmptyState icon="plus" title="Create">
        This page follows.
      </EmptyState>
    </Page>
  )
}
