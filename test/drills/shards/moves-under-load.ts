import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../../src/lib/assert.ts'
import { placeTenant } from '../../../src/shards/storage/directory.ts'
import { listMoves } from '../../../src/shards/storage/moves.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { type Load, startLoad } from '../load/start-load.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { SHARD_NAMES, type ShardedServers, startShardedServers } from './sharded-servers.ts'

const MAX_DELAY_MS = 4000
/** CI makes few moves. A faster load would occupy its cores without another proof. */
const FEW_MOVES = 5
const TENANTS = ['w', 'x', 'y', 'z'] as const

/**
 * Moves tenants between four shards under load, and kills every other move at a random moment. Every
 * server receives requests of every tenant.
 */
export async function moveUnderLoad(moves: number, print: (line: string) => void): Promise<void> {
  await withDatabase(async (postgresUrl) => {
    await using servers = await startShardedServers(postgresUrl)
    await using directory = openTestDatabase(servers.directoryUrl)
    const places = new Map<string, string>()
    for (const [index, tenant] of TENANTS.entries()) {
      const shard = must(SHARD_NAMES[index], 'a shard')
      await placeTenant(directory, JSON.stringify({ org: tenant }), shard)
      places.set(tenant, shard)
    }
    const loads = await Promise.all(
      TENANTS.map((tenant) => loadOf(servers, tenant, moves < FEW_MOVES ? 200 : 30)),
    )
    for (let move = 1; move <= moves; move += 1) {
      const tenant = must(TENANTS[move % TENANTS.length], 'a tenant')
      const target = otherShard(must(places.get(tenant), 'a shard'))
      const load = must(loads[TENANTS.indexOf(tenant)], 'a load')
      load.ledger.takeLongestGapMs()
      const killed = move % 2 === 0 ? await moveAndKill(servers, tenant, target) : null
      await run(servers, ['move', `org=${tenant}`, target], killed !== null)
      await sleep(500)
      places.set(tenant, target)
      const gap = (load.ledger.takeLongestGapMs() / 1000).toFixed(1)
      const death =
        killed === null ? '' : `, killed after ${(killed / 1000).toFixed(1)} s and resumed`
      print(
        `  move ${move}: ${tenant} to ${target}${death}; ${gap} s without an acknowledged write`,
      )
    }
    assert.deepEqual(await listMoves(directory), [])
    for (const load of loads) {
      const result = await load.finish()
      printLoad(result, print)
      assertNoLoss(result)
    }
  })
}

function loadOf({ shards }: ShardedServers, tenant: string, pauseMs: number): Promise<Load> {
  return startLoad({
    origin: () => must(shards[Math.floor(Math.random() * shards.length)], 'a shard').origin,
    name: `t${tenant}`,
    writers: 3,
    watches: 2,
    pauseMs,
    headers: { 'X-Tenant-Org': tenant },
  })
}

function otherShard(shard: string): string {
  const others = SHARD_NAMES.filter((name) => name !== shard)
  return must(others[Math.floor(Math.random() * others.length)], 'a shard')
}

/** Returns the time after which the command was killed. */
async function moveAndKill(
  servers: ShardedServers,
  tenant: string,
  target: string,
): Promise<number> {
  const command = servers.command(['move', `org=${tenant}`, target])
  // The command needs some time to load.
  while (!command.output().includes('->')) await sleep(10)
  const start = performance.now()
  await sleep(Math.random() * MAX_DELAY_MS)
  command.kill('SIGKILL')
  await command.exited
  return performance.now() - start
}

/** A killed move may have been complete: then there is nothing to move. */
async function run(
  servers: ShardedServers,
  words: readonly string[],
  mayBeDone: boolean,
): Promise<void> {
  const command = servers.command(words)
  const code = await command.exited
  if (code === 0 || (mayBeDone && command.errors().includes('nothing to move'))) return
  throw new Error(`flotilla shards ${words.join(' ')} exited with ${code}: ${command.errors()}`)
}
