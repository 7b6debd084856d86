import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Resource. */
export function ResourcePage() {
  return (
    <Page title="Resource">
      <EmptyState icon="resource" title="Resource">
        This page follows.
      </EmptyState>
    </Page>
  )
}
