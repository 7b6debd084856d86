import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** A new object. */
export function NewObjectPage() {
  return (
    <Page title="New object">
      <EmptyState icon="plane" title="New object">
        This page follows.
      </EmptyState>
    </Page>
  )
}
