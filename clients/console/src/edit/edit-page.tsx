import { Page } from '../design/page.tsx'

/** Edits a resource. */
export function EditPage() {
  return <Page title="Edit">…</Page>
}
