import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'

/** Whether a resource with this key exists. */
export async function resourceExists(database: Database, key: ResourceKey): Promise<boolean> {
  if (!isStorableKey(key)) return false
  const found = await database.withPrisma('resource_exists', (prisma) =>
    prisma.resource.findFirst({ where: key, select: { id: true } }),
  )
  return found !== null
}
