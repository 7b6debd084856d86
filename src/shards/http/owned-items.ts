import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { encodeTenant } from '../../access/tenant.ts'
import { isAssigned, type Move } from '../storage/moves.ts'

/** Whether a list shows an item from this shard. */
export type IsOwned = (item: JsonObject, shard: string) => boolean

/**
 * While a tenant moves, both shards can have its resources. Lists show them from the shard that the
 * directory names.
 */
export function ownedItems(moves: readonly Move[]): IsOwned {
  const hiddenIn = hiddenShards(moves)
  if (hiddenIn.size === 0) return () => true
  return ({ tenancy }, shard) =>
    !isJsonObject(tenancy) || hiddenIn.get(encodeTenant(textsOf(tenancy))) !== shard
}

/** Whether the same items are owned during two sets of moves. */
export function hasSameOwners(before: readonly Move[], after: readonly Move[]): boolean {
  const [first, second] = [hiddenShards(before), hiddenShards(after)]
  return (
    first.size === second.size &&
    [...first].every(([tenant, shard]) => second.get(tenant) === shard)
  )
}

/** The shard whose items are not shown, by tenant. */
function hiddenShards(moves: readonly Move[]): ReadonlyMap<string, string> {
  return new Map(moves.map((move) => [move.tenant, isAssigned(move) ? move.source : move.target]))
}

function textsOf(tenancy: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tenancy).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
