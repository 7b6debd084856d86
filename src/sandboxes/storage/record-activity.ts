import type { Database } from '../../store/database/database.ts'

/**
 * Records that a sandbox was used, unless a later use is recorded. False if the sandbox has no row.
 * Does not raise the row version: activity changes no decision of an operation.
 */
export async function recordActivity(
  database: Database,
  uid: string,
  time: Date,
): Promise<boolean> {
  return database.withPrisma('record_sandbox_activity', async (prisma) => {
    const { count } = await prisma.sandboxState.updateMany({
      where: { uid, OR: [{ lastActivityTime: null }, { lastActivityTime: { lt: time } }] },
      data: { lastActivityTime: time },
    })
    return count > 0 || (await prisma.sandboxState.count({ where: { uid } })) > 0
  })
}
