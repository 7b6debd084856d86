import { must } from '../../../lib/assert.ts'
import { type FlotillaError, notFound } from '../../../lib/errors.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import type { Kind, RegisteredKind } from '../../registry/kind.ts'
import { resourceExists } from '../../resources/resource-exists.ts'
import type { Context } from '../context.ts'

interface Children {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly ownerId: string
}

/** `not-found` if the parent that the path of a list names does not exist in the tenant. */
export async function requireParent(
  { database }: Pick<Context, 'database'>,
  { tenant, kind, ownerId }: Children,
): Promise<void> {
  const parent = must(kind.parent, `parent of ${kind.kind}`)
  const key = { kind: parent.kind, id: ownerId, ...(tenant !== null && { tenant }) }
  if (!(await resourceExists(database, key))) throw parentNotFound(kind, ownerId)
}

/** The failure of a request whose path names a parent that does not exist. */
export function parentNotFound(kind: Kind, ownerId: string): FlotillaError {
  return notFound(must(kind.parent, `parent of ${kind.kind}`).kind, ownerId)
}
