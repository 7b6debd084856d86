import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { Resource } from '../targets/resource.ts'
import { appendChanges } from './append-changes.ts'
import { drawChanges } from './draw-changes.ts'
import type { Followed } from './followed.ts'
import { fieldsOf, type Selection, type SelectionOptions, selectionOf } from './selection.ts'
import { sortedPages } from './sorted-pages.ts'
import type { View } from './view.ts'

interface Selected {
  readonly options: SelectionOptions
  /** The only resource to follow, or null for a list. */
  readonly single: Resource | null
}

/**
 * Shows resources and follows their changes until Ctrl-C: as a table that is updated in place on a
 * terminal, otherwise as a line or document per change.
 */
export async function followResources(
  session: Session,
  view: View,
  { options, single }: Selected,
): Promise<void> {
  const isTable = view.format.name === 'table' || view.format.name === 'wide'
  const selection =
    single === null ? await selectionOf(session, view, options) : selectionOfOne(view, single.id)
  const followed = async (onRetry?: () => void): Promise<Followed> =>
    await follow(session, view, { ...selection, onRetry })
  if (isTable && session.out.isTty) await drawChanges(session, view, followed)
  else await appendChanges(session, view, await followed())
}

function selectionOfOne({ target, format }: View, id: string): Selection {
  const search = `id = '${id}'`
  return { list: { search, fields: fieldsOf(target, format) }, search }
}

async function follow(
  session: Session,
  { target, format }: View,
  { list, search, onRetry }: Selection & { readonly onRetry: (() => void) | undefined },
): Promise<Followed> {
  const { signal } = session
  const collection = collectionOf(session, target)
  const resources: Resource[] = []
  let version: string | null = null
  for await (const page of sortedPages(collection, { ...list, signal })) {
    // A later page may lack changes of resources on an earlier one.
    version ??= page.resourceVersion
    resources.push(...page.items)
  }
  const fields = fieldsOf(target, format)
  const resourceVersion = version ?? ''
  const events = collection.watch({ search, fields, resourceVersion, signal, onRetry })
  return { resources, events }
}
