import type { Database } from './database.ts'
import { isStorableText } from './resource-key.ts'

/** Whether a resource of this kind is there. */
export async function resourceExists(
  database: Database,
  kind: string,
  id: string,
): Promise<boolean> {
  if (!isStorableText(id)) return false
  const found = await database.withPrisma('resource_exists', (prisma) =>
    prisma.resource.findFirst({ where: { id, kind }, select: { id: true } }),
  )
  return found !== null
}
