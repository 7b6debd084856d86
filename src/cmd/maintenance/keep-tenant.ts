import { TABLES } from '../tables.ts'
import { keepTenant } from '../../shards/keep-tenant.ts'
import { formatTenant } from '../../access/tenant.ts'
import { must } from '../../lib/assert.ts'
import { listShards } from '../../shards/storage/directory.ts'
import { lockMove } from '../../shards/storage/lock-move.ts'
import { MoveError } from '../../shards/storage/move-error.ts'
import { type MoveCommands, withEveryShard } from './shard-moves.ts'

/** Keeps the data of a tenant in one shard, and deletes them in all others. */
export async function keepIn(commands: MoveCommands, tenant: string, name: string): Promise<void> {
  const { directory, directoryUrl, print } = commands
  await using lock = await lockMove(directoryUrl, tenant)
  if (lock === null) throw new MoveError('another process works on the tenant')
  const names = (await listShards(directory)).map((shard) => shard.name)
  if (!names.includes(name)) throw new MoveError(`the directory has no shard '${name}'`)
  print(`${formatTenant(tenant)}:`)
  await withEveryShard(commands, (opened) =>
    keepTenant(
      {
        directory,
        tables: TABLES,
        kept: must(
          opened.find((shard) => shard.name === name),
          'the shard',
        ),
        others: opened.filter((shard) => shard.name !== name),
        onNotice: (text) => print(`  ${text}`),
      },
      tenant,
    ),
  )
}
