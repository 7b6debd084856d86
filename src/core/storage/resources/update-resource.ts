import type { Resource } from '../../model/resource.ts'
import type { Database } from '../database/database.ts'
import { inputJson } from '../database/prisma-json.ts'
import { conditionMap, patchedRecord } from './resource-row.ts'

/**
 * Writes the fields that a PATCH may change, except references. Returns false if the version is no
 * longer `readVersion`, from which the caller computed `next`.
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
