import type { SandboxState } from './sandbox-state.ts'
import type { Database } from '../../store/database/database.ts'
import { stateOf } from './state-row.ts'

/** The row of a sandbox; null if no operation has begun. */
export async function readState(database: Database, uid: string): Promise<SandboxState | null> {
  const found = await database.withPrisma('read_sandbox_state', (prisma) =>
    prisma.sandboxState.findUnique({ where: { uid } }),
  )
  return found && stateOf(found)
}
