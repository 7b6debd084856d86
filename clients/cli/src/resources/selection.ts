import type { BelowParent, ListOptions } from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readParent } from '../targets/read-resource.ts'
import { combinedSearch } from './combined-search.ts'
import type { View } from './view.ts'

/** The options that select resources. */
export interface SelectionOptions {
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly sort?: string | undefined
  readonly cluster?: string | undefined
}

/** The resources that a list selects, and the watch that follows it. */
export interface Selection {
  readonly list: ListOptions & BelowParent
  /** The search of the watch, which has no parent in its path. */
  readonly search: string | undefined
}

/** The selection of the options of a command. */
export async function selectionOf(
  session: Session,
  { target, format }: Pick<View, 'target' | 'format'>,
  options: SelectionOptions,
): Promise<Selection> {
  const { cluster, search, selector: labels, sort } = options
  const parent = cluster === undefined ? undefined : await readParent(session, target, cluster)
  const own = combinedSearch({ search, labels })
  return {
    list: {
      search: own,
      parent,
      orderBy: sort?.replaceAll(':', ' '),
      fields: fieldsOf(target, format),
      signal: session.signal,
    },
    search: combinedSearch({ search, labels, owner: parent?.id }),
  }
}

/** Tables need no specs, which can be large. */
export function fieldsOf({ parentKind }: KindTarget, { name }: View['format']): string | undefined {
  if (name === 'json' || name === 'yaml' || name === 'jsonpath') return undefined
  if (name === 'name') return parentKind === null ? 'name' : 'name,owner_references'
  const fields = 'name,generation,labels,created_time,created_by,deleted_time,status'
  return parentKind === null ? fields : `${fields},owner_references`
}
