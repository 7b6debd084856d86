import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Sandboxes. */
export function SandboxesPage() {
  return (
    <Page title="Sandboxes">
      <EmptyState icon="sandbox" title="Sandboxes">
        This page follows.
      </EmptyState>
    </Page>
  )
}
