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
  const permitted = await Promise.all(
    names.map((part) => hasAccess(authorizer, response, ...accessTo(part, verb, parts.kinds))),
  )
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
