import { EmptyState } from '../design/empty-state.tsx'
import { Page } from '../design/page.tsx'

/** Settings. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <EmptyState icon="settings" title="Settings">
        This page follows.
      </EmptyState>
    </Page>
  )
}
