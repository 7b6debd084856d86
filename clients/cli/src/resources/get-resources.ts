import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import { readResource } from '../targets/read-resource.ts'
import { printResources } from './print-resources.ts'
import { type SelectionOptions, selectionOf } from './selection.ts'
import { sortedPages } from './sorted-pages.ts'
import type { View } from './view.ts'

interface ShownResources extends SelectionOptions {
  /** Null for a list. */
  readonly name: string | null
  readonly watch?: boolean | undefined
}

/** Lists the resources of a kind, or shows one. */
export async function getResources(
  session: Session,
  view: View,
  { name, watch, ...options }: ShownResources,
): Promise<void> {
  const { target } = view
  if (name !== null) requireNoSelection(options)
  const single = name === null ? null : await readResource(session, target, { ...options, name })
  if (watch === true) {
    const { followResources } = await import('./follow-resources.ts')
    await followResources(session, view, { options, single })
    return
  }
  if (single !== null) {
    await printResources(session, view, { single })
    return
  }
  const { list } = await selectionOf(session, view, options)
  const pages = sortedPages(collectionOf(session, target), list)
  await printResources(session, view, { pages })
}

function requireNoSelection({ search, selector, sort }: SelectionOptions): void {
  if (search === undefined && selector === undefined && sort === undefined) return
  throw new CliError('a name and a selection cannot be combined', {
    exit: 'usage',
    hint: 'Omit the name, or omit --search, -l and --sort.',
  })
}
