import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Sandbox. */
export function SandboxPage() {
  return (
    <Page title="Sandbox">
      <EmptyState icon="sandbox" title="Sandbox">
        This page follows.
      </EmptyState>
    </Page>
  )
}
