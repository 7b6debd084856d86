import { must } from '../../lib/assert.ts'
import type { TenantScope } from '../model/tenant.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { resourceExists } from '../storage/resources/resource-exists.ts'
import type { Context } from './context.ts'
import { parentNotFound } from './parent-not-found.ts'

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
