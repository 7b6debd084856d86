import type { WriteGuard } from '../../store/objects/model/write-guard.ts'
import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import type { ObjectKey } from '../../store/objects/model/stored-object.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { objectConflict, objectNotFound } from '../../planes/errors/failures.ts'
import { resourceKey } from '../../planes/model/resource-type.ts'
import { type Fleet, fleetOf } from '../model/fleet.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import type { FleetRef } from './fleet-members.ts'
import type { MemberParts } from './creation/member-parts.ts'

/**
 * Reads a Fleet from the database. 404 if it does not exist. Its status may list 1 000 members, so
 * a claim reads only its revision unless it has changed. Concurrent claims then share one read,
 * which is at least as new as the revision.
 */
export async function readFleet(parts: MemberParts, name: string): Promise<Fleet> {
  const { store, fleets } = parts
  const key = keyOf(parts, name)
  const cacheKey = `${key.plane}/${name}`
  const revision = await store().revisionOf(key)
  if (revision === null) throw objectNotFound(FLEET_TYPE, name)
  const cached = fleets.get(cacheKey)
  if (cached?.revision === revision) return cached.fleet
  const fleet = store()
    .read(key)
    .then((object) => {
      if (object === null) throw objectNotFound(FLEET_TYPE, name)
      return fleetOf(object.body)
    })
  const entry = { revision, fleet }
  fleets.set(cacheKey, entry)
  fleet.catch(() => {
    if (fleets.get(cacheKey) === entry) fleets.delete(cacheKey)
  })
  return fleet
}

/** Reads the Fleet that a decision is based on. 404 for another uid, 409 for another generation. */
export async function requireFleet(parts: MemberParts, ref: FleetRef): Promise<Fleet> {
  const fleet = await readFleet(parts, ref.name)
  if (fleet.uid !== ref.uid) throw objectNotFound(FLEET_TYPE, ref.name)
  if (fleet.generation !== ref.generation) throw fleetChanged(ref.name)
  return fleet
}

/** The conditions of a write: the Fleet has not changed, and the writer is still the leader. */
export function guardsOf(
  parts: MemberParts,
  { name, uid, generation }: Pick<Fleet, 'name' | 'uid' | 'generation'>,
  fence: WriteFence | null,
): readonly WriteGuard[] {
  return [
    ...(fence === null ? [] : [{ type: 'lease', ...fence } as const]),
    { type: 'object', key: keyOf(parts, name), uid, generation },
  ]
}

/** Runs a guarded write. A guard that does not hold is a 409. */
export async function guarded<T>(fleet: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof FlotillaError && error.reason === 'conflict') throw fleetChanged(fleet)
    throw error
  }
}

function keyOf({ rootPlane }: MemberParts, name: string): ObjectKey {
  return { plane: rootPlane, resource: resourceKey(FLEET_TYPE), namespace: '', name }
}

function fleetChanged(name: string) {
  return objectConflict(
    FLEET_TYPE,
    name,
    'the fleet has changed, or another controller has taken over: read it again',
  )
}
