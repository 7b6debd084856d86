import { notFound } from '../../lib/errors.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import type { ResourceKey } from '../storage/resource-key.ts'
import type { Context } from './context.ts'
import type { FoundResource } from './resource-reader.ts'

/** A resource as a path names it: `ownerId` is null where the path does not go through the parent. */
export interface Target {
  readonly kind: RegisteredKind
  readonly id: string
  readonly ownerId: string | null
}

/** The target as storage addresses it. */
export function keyOf({ kind, id, ownerId }: Target): ResourceKey {
  return { kind: kind.kind, id, ...(ownerId !== null && { ownerId }) }
}

/** Reads one resource; NTF-001 where it is not there, or not under this parent. */
export async function readResource(
  { reader }: Context,
  { kind, id, ownerId }: Target,
): Promise<FoundResource> {
  const found = await reader.one(id)
  const isTarget = found?.kind === kind.kind && (ownerId ?? found.ownerId) === found.ownerId
  if (!isTarget) throw notFound(kind.kind, id)
  return found
}
