import { TABLES } from '../tables.ts'
import { forgetTenants } from '../../shards/forget-tenants.ts'
import { formatTenant } from '../../access/tenant.ts'
import { lockMove } from '../../shards/storage/lock-move.ts'
import { MoveError } from '../../shards/storage/move-error.ts'
import { type MoveCommands, withEveryShard } from './shard-moves.ts'

/** Removes tenants without resources from the directory and from all shards. */
export async function forget(commands: MoveCommands, tenants: readonly string[]): Promise<void> {
  const { directory, directoryUrl, print } = commands
  await withEveryShard(commands, (shards) =>
    forgetTenants(
      {
        directory,
        tables: TABLES,
        shards,
        locked: async (tenant, step) => {
          await using lock = await lockMove(directoryUrl, tenant)
          if (lock === null) throw new MoveError('another process works on the tenant')
          return await step()
        },
        onForgotten: (tenant) => print(`${formatTenant(tenant)} is forgotten.`),
      },
      tenants,
    ),
  )
}
