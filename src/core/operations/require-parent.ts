import { must } from '../../lib/assert.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { resourceExists } from '../storage/resource-exists.ts'
import type { Context } from './context.ts'
import { parentNotFound } from './parent-not-found.ts'

/** NTF-001 where the parent that a list's path names is not there. */
export async function requireParent(
  { database }: Pick<Context, 'database'>,
  kind: RegisteredKind,
  ownerId: string,
): Promise<void> {
  const parent = must(kind.parent, `parent of ${kind.kind}`)
  if (!(await resourceExists(database, parent.kind, ownerId))) throw parentNotFound(kind, ownerId)
}
