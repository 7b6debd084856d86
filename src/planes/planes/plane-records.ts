import { objectNotFound } from '../errors/failures.ts'
import { firstRevision } from '../model/first-revision.ts'
import type { PlaneDirectory, PlaneRecord } from '../http/plane-directory.ts'

/** Planes whose records stay in memory. */
const MAX_CACHED = 10_000

/** Facts about planes that never change. */
export interface PlaneRecords {
  /** 404 if the plane does not exist. */
  recordOf(plane: string): Promise<PlaneRecord>
  /** The revision of a plane before its first write. */
  startOf(plane: string): Promise<bigint>
}

/** Caches the records of planes by their ID. */
export function createPlaneRecords(directory: PlaneDirectory): PlaneRecords {
  const cache = new Map<string, PlaneRecord>()

  async function recordOf(plane: string): Promise<PlaneRecord> {
    const cached = cache.get(plane)
    if (cached) return cached
    const record = await directory.find(plane)
    if (!record) throw objectNotFound({ group: '', plural: 'clusters' }, plane)
    cache.set(plane, record)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    return record
  }

  return {
    recordOf,
    startOf: async (plane) => firstRevision((await recordOf(plane)).createdTime),
  }
}
