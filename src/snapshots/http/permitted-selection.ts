import type { Response } from 'express'
import type { Access } from '../../access/authorizer.ts'
import { hasAccess } from '../../http/auth/authorize.ts'
import { type Selection, STATUSES } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'

interface Requested {
  readonly selection: Selection
  readonly verb: Extract<Access['verb'], 'list' | 'watch'>
}

/** The selected parts of a snapshot that the caller may list, or watch. */
export async function permittedSelection(
  context: Pick<SnapshotContext, 'authorizer' | 'parts'>,
  response: Response,
  { selection, verb }: Requested,
): Promise<Selection> {
  const { authorizer, parts } = context
  if (!authorizer.isDetailed) return selection
  const names = parts.of(selection).map(({ resource }) => resource)
  const isPermitted = async (part: string): Promise<boolean> => {
    const needed = accessTo(part, verb, parts.kinds)
    const allowed = needed.map((access) => hasAccess(authorizer, response, access))
    return (await Promise.all(allowed)).every(Boolean)
  }
  const permitted = await Promise.all(names.map(isPermitted))
  return { ...selection, resources: names.filter((_name, index) => permitted[index]) }
}

/** The part with all reports needs access to those of every kind. */
function accessTo(
  part: string,
  verb: Requested['verb'],
  kinds: SnapshotContext['parts']['kinds'],
): readonly Access[] {
  if (part !== STATUSES) return [{ verb, resource: part, subresource: null }]
  return kinds.map(({ plural }) => ({ verb, resource: plural, subresource: STATUSES }))
}
