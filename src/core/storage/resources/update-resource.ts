import type { Resource } from '../../model/resource.ts'
import type { Database } from '../database/database.ts'
import { inputJson } from '../database/prisma-json.ts'
import { conditionMap, patchedRecord } from './resource-row.ts'

/**
 * Writes what a PATCH may change, where the version is still the one that was read; false where
 * it is not. The caller has computed `next` from what it read.
 */
export async function updateResource(
  database: Database,
  next: Resource,
  readVersion: bigint,
): Promise<boolean> {
  const { count } = await database.withPrisma('update_resource', (prisma) =>
    prisma.resource.updateMany({
      where: { id: next.id, version: readVersion },
      data: {
        generation: next.generation,
        version: next.version,
        ...patchedRecord(next),
        conditions: inputJson(next.conditions),
        cond: inputJson(conditionMap(next.conditions)),
        updatedTime: next.updatedTime,
        updatedBy: next.updatedBy,
      },
    }),
  )
  return count === 1
}
