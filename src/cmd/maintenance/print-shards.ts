import { formatTenant } from '../../core/model/tenant.ts'
import type { Shard } from '../../core/storage/shards/directory.ts'
import { listShards } from '../../core/storage/shards/directory.ts'
import { listMoves, type Move } from '../../core/storage/shards/moves.ts'
import { listFrozenTenants } from '../../core/storage/shards/tenant-states.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { type MoveCommands, progressOf } from './shard-moves.ts'

/** Prints the shards, each with its frozen tenants. A database that cannot be read is reported. */
export async function printShards(commands: MoveCommands): Promise<void> {
  const { directory, print } = commands
  const moves = await listMoves(directory)
  for (const shard of await listShards(directory)) {
    const { name, tenants, servers, acceptsTenants } = shard
    const state = acceptsTenants ? 'open' : 'closed'
    print(
      `${name.padEnd(16)} ${state.padEnd(7)} ${String(tenants).padStart(8)} tenants  ${servers.join(' ')}`,
    )
    for (const line of await frozenTenants(commands, shard, moves)) print(`  ${line}`)
  }
}

async function frozenTenants(
  { open }: MoveCommands,
  { database: url }: Shard,
  moves: readonly Move[],
): Promise<readonly string[]> {
  await using database = open(url)
  try {
    return (await listFrozenTenants(database)).map(({ tenant, seconds }) => {
      const move = moves.find((found) => found.tenant === tenant)
      const progress = move ? progressOf(move) : 'without a move'
      return `${formatTenant(tenant)}  frozen for ${seconds} s  ${progress}`
    })
  } catch (error) {
    return [`its database cannot be read: ${errorMessage(error)}`]
  }
}
