import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { targetOf } from '../targets/resolve-target.ts'
import type { Resource } from '../targets/resource.ts'
import { openResourceRows } from '../resources/resource-rows.ts'
import type { Section } from './section.ts'

const MAX_CHILDREN = 50

/** A table for each kind whose resources belong to this one. */
export async function childSections(
  session: Session,
  target: KindTarget,
  { id }: Resource,
): Promise<readonly Section[]> {
  const kinds = (await session.kinds()).filter((one) => one.parent_kind === target.kind)
  return await Promise.all(
    kinds.map(async (kind) => await childSection(session, targetOf(kind), { target, id })),
  )
}

async function childSection(
  session: Session,
  kind: KindTarget,
  parent: { readonly target: KindTarget; readonly id: string },
): Promise<Section> {
  const page = await collectionOf(session, kind)
    .list({
      parent: { plural: parent.target.plural, id: parent.id },
      orderBy: 'name',
      pageSize: MAX_CHILDREN,
      signal: session.signal,
    })
    .firstPage()
  const view = { target: { ...kind, parentKind: null }, format: { name: 'table' } } as const
  const { columns, rowsOf } = await openResourceRows(session, view)
  const hidden = page.total - page.items.length
  const title = words(kind.kind)
  return {
    title: hidden > 0 ? `${title}s (${hidden} more)` : `${title}s`,
    empty: 'none',
    columns,
    rows: (await rowsOf(page.items)).map((cells) => ({ cells })),
  }
}

/** `Node pool` for `NodePool`. */
function words(kind: string): string {
  const spaced = kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
