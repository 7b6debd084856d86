import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Planes. */
export function PlanesPage() {
  return (
    <Page title="Planes">
      <EmptyState icon="plane" title="Planes">
        This page follows.
      </EmptyState>
    </Page>
  )
}
