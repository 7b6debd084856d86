import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { kindNamed } from '../targets/kind-named.ts'
import type { Resource } from '../targets/resource.ts'

/** Names that are looked up with one request. */
const CHUNK = 500

/** Adds the names of the resources' parents to a map by ID, for those that it lacks. */
export async function addParentNames(
  session: Session,
  { parentKind }: KindTarget,
  {
    resources,
    names,
  }: { readonly resources: readonly Resource[]; readonly names: Map<string, string> },
): Promise<void> {
  if (parentKind === null) return
  const parents = collectionOf(session, await kindNamed(session, parentKind))
  const ids = resources.map(({ owner_references: owner }) => owner?.id ?? '')
  const missing = [...new Set(ids)].filter((id) => id !== '' && !names.has(id))
  for (let start = 0; start < missing.length; start += CHUNK) {
    const chunk = missing.slice(start, start + CHUNK)
    const search = `id in (${chunk.map((id) => `'${id}'`).join(', ')})`
    const page = parents.list({ search, pageSize: CHUNK, signal: session.signal })
    for (const { id, name } of (await page.firstPage()).items) names.set(id, name)
  }
}
