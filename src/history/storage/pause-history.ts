import type { Database } from '../../store/database/database.ts'

/** Marks that no server collects the history. Changes that the log drops during the pause do not count as lost. */
export async function pauseHistory(database: Database): Promise<void> {
  await database.withPrisma('pause_history', (prisma) =>
    prisma.historyCursor.updateMany({ where: { isPaused: false }, data: { isPaused: true } }),
  )
}
