import { TABLES } from '../tables.ts'
import {
  abortMove,
  type MoveContext,
  type MovingShard,
  moveTenant,
} from '../../shards/move-tenant.ts'
import { formatTenant } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'
import { listShards } from '../../shards/storage/directory.ts'
import { lockMove } from '../../shards/storage/lock-move.ts'
import { MoveError, supersededAttempt } from '../../shards/storage/move-error.ts'
import { beginAttempt, beginMove, listMoves, type Move } from '../../shards/storage/moves.ts'
import { shardNameOf } from '../../shards/storage/join-shard.ts'
import { endMoveSessions } from '../../shards/storage/open-move-client.ts'
import { beginAttemptInShard, readTenantState } from '../../shards/storage/tenant-states.ts'

/** The parts of the commands that move tenants. */
export interface MoveCommands {
  readonly directory: Database
  readonly directoryUrl: string
  /** Opens a few connections to a database. */
  readonly open: (url: string) => Database
  readonly print: (line: string) => void
}

/** Begins a move, or continues the tenant's unfinished one, and finishes it. */
export async function moveTo(
  commands: MoveCommands,
  tenant: string,
  target: string,
): Promise<void> {
  const move = await beginMove(commands.directory, tenant, target)
  if (!move) {
    throw new MoveError(
      `nothing to move: ${target} is no shard or has the tenant already, or the tenant has no shard`,
    )
  }
  if (move.target !== target) {
    throw new MoveError(`the tenant moves to ${move.target}: resume or abort that move first`)
  }
  if (move.step === 'aborted') {
    throw new MoveError('an aborted move of the tenant is not undone yet: resume it first')
  }
  await run(commands, move, moveTenant)
}

/** Finishes every unfinished move. */
export async function resumeMoves(commands: MoveCommands): Promise<void> {
  for (const move of await listMoves(commands.directory)) await run(commands, move, moveTenant)
}

/**
 * Ends the unfinished move of a tenant, even if another process works on it: that process cannot
 * continue, even if it was paused.
 */
export async function abortMoveOf(commands: MoveCommands, tenant: string): Promise<void> {
  const moves = await listMoves(commands.directory)
  const move = moves.find((found) => found.tenant === tenant)
  if (!move) throw new MoveError('the tenant has no unfinished move')
  await endMoveSessions(commands.directoryUrl, tenant, 'lock')
  await run(commands, move, abortMove)
}

/** Prints the unfinished moves. */
export async function printMoves({ directory, print }: MoveCommands): Promise<void> {
  for (const move of await listMoves(directory)) {
    print(`${formatTenant(move.tenant)}  ${progressOf(move)}`)
  }
}

/** The shards, the last step and the start time of a move. */
export function progressOf({ source, target, step, startedTime }: Move): string {
  return `${source} -> ${target}  ${step}  since ${startedTime.toISOString()}`
}

async function run(
  commands: MoveCommands,
  found: Move,
  work: (context: MoveContext, move: Move) => Promise<void>,
): Promise<void> {
  const { directory, directoryUrl, print } = commands
  const { tenant } = found
  await using lock = await lockMove(directoryUrl, tenant)
  if (lock === null) {
    throw new MoveError(
      `another process works on the move; if it is paused or lost, run flotilla shards abort ${formatTenant(tenant)}`,
    )
  }
  await using source = await openShard(commands, found.source)
  await using target = await openShard(commands, found.target)
  const move = await beginAttemptIn({ directory, source, target }, tenant)
  let start = performance.now()
  print(`${formatTenant(tenant)}: ${move.source} -> ${move.target}, after the step '${move.step}'`)
  const context: MoveContext = {
    directory,
    tables: TABLES,
    source,
    target,
    onTable: (table, rows) => {
      if (rows > 0) print(`  ${table.padEnd(20)} ${rows} rows`)
    },
    onNotice: (text) => print(`  ${text}`),
    onStep: (step) => {
      print(`  ${(step ?? 'finished').padEnd(20)} ${Math.round(performance.now() - start)} ms`)
      start = performance.now()
    },
  }
  try {
    await work(context, move)
  } catch (error) {
    // Another process may have ended the connections of this one.
    const current = (await listMoves(directory)).find((one) => one.tenant === tenant)
    throw current?.attempt === move.attempt ? error : supersededAttempt(error)
  }
}

type Parts = Pick<MoveContext, 'directory' | 'source' | 'target'>

/** Begins an attempt in the directory and in both shards, so that no older one can continue. */
async function beginAttemptIn({ directory, source, target }: Parts, tenant: string): Promise<Move> {
  const shards = [source, target]
  const states = await Promise.all(shards.map(({ database }) => readTenantState(database, tenant)))
  // A directory that was restored from a backup may have older numbers than the shards.
  const seen = states.reduce(
    (max, state) => (state && state.attempt > max ? state.attempt : max),
    0n,
  )
  const move = await beginAttempt(directory, tenant, seen)
  if (!move) throw new MoveError('the move has ended')
  if (move.source !== source.name || move.target !== target.name) throw supersededAttempt()
  for (const { database, url, name } of shards) {
    await endMoveSessions(url, tenant, 'copy')
    const initial = name === source.name ? 'active' : 'departed'
    if (!(await beginAttemptInShard(database, move, initial))) throw supersededAttempt()
  }
  return move
}

/** Opens the databases of all shards for some work. */
export async function withEveryShard(
  commands: MoveCommands,
  work: (shards: readonly MovingShard[]) => Promise<void>,
): Promise<void> {
  const opened: (MovingShard & AsyncDisposable)[] = []
  try {
    for (const { name } of await listShards(commands.directory))
      opened.push(await openShard(commands, name))
    await work(opened)
  } finally {
    await Promise.all(opened.map((shard) => shard[Symbol.asyncDispose]()))
  }
}

/** Opens the database of a shard. Throws a MoveError if it is not the shard's. */
export async function openShard(
  { directory, open }: Pick<MoveCommands, 'directory' | 'open'>,
  name: string,
): Promise<MovingShard & AsyncDisposable> {
  const shard = (await listShards(directory)).find((found) => found.name === name)
  if (!shard) throw new MoveError(`the directory has no shard '${name}'`)
  const database = open(shard.database)
  const found = await shardNameOf(database)
  if (found !== name) {
    await database[Symbol.asyncDispose]()
    throw new MoveError(
      found === null
        ? `the database of '${name}' is no shard yet: start a server with SHARD=name=${name}`
        : `the database of '${name}' belongs to '${found}': correct it with flotilla shards add`,
    )
  }
  return {
    name,
    url: shard.database,
    database,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
