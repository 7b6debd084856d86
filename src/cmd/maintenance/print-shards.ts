import { TABLES } from '../tables.ts'
import { formatTenant } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'
import { emptyTenants } from '../../shards/storage/empty-tenants.ts'
import { listShards, tenantsOfShard } from '../../shards/storage/directory.ts'
import { listMoves, type Move } from '../../shards/storage/moves.ts'
import { listFrozenTenants } from '../../shards/storage/tenant-states.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { type MoveCommands, progressOf } from './shard-moves.ts'

/**
 * Prints the shards, each with its frozen tenants, or with its tenants without resources. A database
 * that cannot be read is reported.
 */
export async function printShards(
  commands: MoveCommands,
  { showsEmpty }: { readonly showsEmpty: boolean },
): Promise<void> {
  const { directory, print } = commands
  const moves = await listMoves(directory)
  for (const shard of await listShards(directory)) {
    const { name, tenants, servers, acceptsTenants } = shard
    const state = acceptsTenants ? 'open' : 'closed'
    print(
      `${name.padEnd(16)} ${state.padEnd(7)} ${String(tenants).padStart(8)} tenants  ${servers.join(' ')}`,
    )
    await using database = commands.open(shard.database)
    const lines = showsEmpty
      ? emptyIn(database, await tenantsOfShard(directory, name))
      : frozenIn(database, moves)
    for (const line of await lines.catch(unreadable)) print(`  ${line}`)
  }
}

async function emptyIn(database: Database, tenants: readonly string[]): Promise<readonly string[]> {
  return (await emptyTenants(database, TABLES, tenants)).map(formatTenant)
}

async function frozenIn(database: Database, moves: readonly Move[]): Promise<readonly string[]> {
  return (await listFrozenTenants(database)).map(({ tenant, seconds }) => {
    const move = moves.find((found) => found.tenant === tenant)
    const progress = move ? progressOf(move) : 'without a move'
    return `${formatTenant(tenant)}  frozen for ${seconds} s  ${progress}`
  })
}

function unreadable(error: unknown): readonly string[] {
  return [`its database cannot be read: ${errorMessage(error)}`]
}
