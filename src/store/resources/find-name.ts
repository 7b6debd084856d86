import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'

/** Finds the kind, name and tenant of a resource by its ID; null if it does not exist. */
export async function findName(
  database: Database,
  id: string,
): Promise<{ readonly kind: string; readonly name: string; readonly tenant: string } | null> {
  if (!isStorableText(id)) return null
  return database.withPrisma('find_name', (prisma) =>
    prisma.resource.findUnique({ where: { id }, select: { kind: true, name: true, tenant: true } }),
  )
}
