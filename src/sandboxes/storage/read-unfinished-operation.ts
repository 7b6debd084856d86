import type { SandboxOperation } from './sandbox-operation.ts'
import type { Database } from '../../store/database/database.ts'
import { operationOf } from './operation-row.ts'

/** The unfinished operation of a sandbox, or null. */
export async function readUnfinishedOperation(
  database: Database,
  uid: string,
): Promise<SandboxOperation | null> {
  const found = await database.withPrisma('read_unfinished_operation', (prisma) =>
    prisma.sandboxOperation.findFirst({ where: { sandboxUid: uid, finishedTime: null } }),
  )
  return found && operationOf(found)
}
