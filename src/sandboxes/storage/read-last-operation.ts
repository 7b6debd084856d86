import type { SandboxOperation } from './sandbox-operation.ts'
import type { Database } from '../../store/database/database.ts'
import { operationOf } from './operation-row.ts'

/** The last operation of a sandbox, finished or not. Null if it had none for a day. */
export async function readLastOperation(
  database: Database,
  uid: string,
): Promise<SandboxOperation | null> {
  const found = await database.withPrisma('read_last_operation', (prisma) =>
    prisma.sandboxOperation.findFirst({
      where: { sandboxUid: uid },
      orderBy: [{ createdTime: 'desc' }, { id: 'desc' }],
    }),
  )
  return found && operationOf(found)
}
