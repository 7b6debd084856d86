import { TABLES } from '../../src/cmd/tables.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { abortMoveOf, type MoveCommands, moveTo } from '../../src/cmd/maintenance/shard-moves.ts'
import { printShards } from '../../src/cmd/maintenance/print-shards.ts'
import { moveTenant } from '../../src/shards/move-tenant.ts'
import type { Database } from '../../src/store/database/database.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { MoveError } from '../../src/shards/storage/move-error.ts'
import { lockMove } from '../../src/shards/storage/lock-move.ts'
import {
  beginAttempt,
  beginMove,
  listMoves,
  type MoveStep,
} from '../../src/shards/storage/moves.ts'
import { must } from '../../src/lib/assert.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { type Program, startNode } from '../process/program.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { serverProgram } from '../support/server-program.ts'
import { query } from './query.ts'
import { holdTransaction, register, type TestShard } from './shard-servers.ts'
import { type MovableShards, startMovableShards, tenantOf } from './movable-shards.ts'

let shards: MovableShards
let directory: Database
let a: TestShard
let b: TestShard
let commands: MoveCommands

beforeAll(async () => {
  shards = await startMovableShards()
  ;({ directory, a, b, commands } = shards)
})
afterAll(() => shards[Symbol.asyncDispose]())

/** A tenant in shard a with one cluster. */
async function populated(org: string) {
  await placeTenant(directory, tenantOf(org), 'a')
  const caller = callerWith(b.server, tenantHeaders(org))
  await made(caller, '/clusters', creation('Cluster', { name: 'prod' }))
  const write = async (name: string): Promise<number> =>
    (await caller.post('/clusters', creation('Cluster', { name }))).status
  const names = async (): Promise<string[]> => {
    const { body } = await caller.get('/clusters?orderBy=name')
    return body.items.map((item: { name: string }) => item.name)
  }
  return { write, names }
}

/** Runs `flotilla shards move` to shard b in a separate process. */
function startMover(org: string): Program {
  const mover = startNode([...serverProgram(), 'shards', 'move', `org=${org},project=web`, 'b'], {
    SHARD_DIRECTORY_URL: commands.directoryUrl,
  })
  onTestFinished(async () => {
    mover.kill('SIGKILL')
    await mover.exited
  })
  return mover
}

async function stateIn(shard: TestShard, org: string): Promise<string | undefined> {
  const text = 'select state from tenant_states where tenant = $1'
  const [row] = await query<{ state: string }>(shard.databaseUrl, text, [tenantOf(org)])
  return row?.state
}

/** Lets a paused mover continue, and expects that it stops with an explanation. */
async function expectToStop(mover: Program): Promise<void> {
  mover.kill('SIGCONT')
  expect(await mover.exited).toBe(1)
  expect(mover.errors()).toContain('another process has continued or aborted the move')
  expect(mover.errors()).not.toContain('    at ')
}

describe('an abort', () => {
  test('unfreezes a tenant whose mover is paused, and the mover cannot continue', async () => {
    const { write, names } = await populated('freezing')
    // The mover waits for this transaction with the tenant frozen.
    const { end } = await holdTransaction(a, 'select pg_current_xact_id()')
    const mover = startMover('freezing')
    await expect.poll(() => stateIn(a, 'freezing')).toBe('frozen')
    mover.kill('SIGSTOP')
    expect(await write('refused')).toBe(503)
    const lines: string[] = []
    await printShards({ ...commands, print: (line) => lines.push(line) }, { showsEmpty: false })
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(
      /^ {2}org=freezing,project=web {2}frozen for \d+ s {2}a -> b {2}started {2}since /,
    )
    await expect(moveTo(commands, tenantOf('freezing'), 'b')).rejects.toThrow(
      'run flotilla shards abort org=freezing,project=web',
    )
    await abortMoveOf(commands, tenantOf('freezing'))
    expect(await write('accepted')).toBe(201)
    await end()
    await expectToStop(mover)
    expect(await stateIn(a, 'freezing')).toBe('active')
    expect(await write('later')).toBe(201)
    expect(await names()).toEqual(['accepted', 'later', 'prod'])
  })

  test('ends the open transaction of a mover that is paused in the copy', async () => {
    const { write, names } = await populated('copying')
    const { end } = await holdTransaction(b, 'lock table sandbox_operations in exclusive mode')
    const mover = startMover('copying')
    await expect.poll(() => stateIn(b, 'copying')).toBe('arriving')
    const waits = `select count(*)::integer as count from pg_stat_activity
      where application_name like 'flotilla move %' and datname = current_database()
        and wait_event_type = 'Lock'`
    await expect.poll(() => query(b.databaseUrl, waits)).toEqual([{ count: 1 }])
    mover.kill('SIGSTOP')
    await end()
    await abortMoveOf(commands, tenantOf('copying'))
    expect(await write('accepted')).toBe(201)
    await moveTo(commands, tenantOf('copying'), 'b')
    await expectToStop(mover)
    expect(await write('later')).toBe(201)
    expect(await names()).toEqual(['accepted', 'later', 'prod'])
    expect([await stateIn(a, 'copying'), await stateIn(b, 'copying')]).toEqual([
      'departed',
      'active',
    ])
  })

  test('finishes a move whose tenant is assigned, and the mover deletes nothing later', async () => {
    const { write, names } = await populated('assigned')
    const mover = startMover('assigned')
    await expect.poll(() => mover.output()).toContain('assigned  ')
    mover.kill('SIGSTOP')
    await abortMoveOf(commands, tenantOf('assigned'))
    expect(await stateIn(b, 'assigned')).toBe('active')
    expect(await write('in-b')).toBe(201)
    await moveTo(commands, tenantOf('assigned'), 'a')
    await expectToStop(mover)
    expect(await write('in-a')).toBe(201)
    expect(await names()).toEqual(['in-a', 'in-b', 'prod'])
  })

  test('undoes a move whose process was killed', async () => {
    const { write } = await populated('killed')
    const { end } = await holdTransaction(a, 'select pg_current_xact_id()')
    const mover = startMover('killed')
    await expect.poll(() => stateIn(a, 'killed')).toBe('frozen')
    mover.kill('SIGKILL')
    await mover.exited
    await end()
    await abortMoveOf(commands, tenantOf('killed'))
    expect(await write('accepted')).toBe(201)
    await expect(abortMoveOf(commands, tenantOf('killed'))).rejects.toThrow('no unfinished move')
  })
})

/** Runs a move until a line begins with a word, and leaves the rest undone as a killed process does. */
async function dieAt(word: string, run: (dying: MoveCommands) => Promise<void>): Promise<void> {
  const print = (line: string): void => {
    if (line.trim().startsWith(word)) throw new Error('killed')
  }
  await expect(run({ ...commands, print })).rejects.toThrow('killed')
}

test('no server serves the copy of a move that can still be aborted', async () => {
  await placeTenant(directory, tenantOf('copied'), 'a')
  const callers = [a, b].flatMap(({ server }) =>
    [tenantHeaders('copied'), SYSTEM_HEADERS].map((headers) => callerWith(server, headers)),
  )
  const tenant = callerWith(a.server, tenantHeaders('copied'))
  const { id } = await made(tenant, '/clusters', creation('Cluster', { name: 'prod' }))
  const tags = () =>
    Promise.all(
      callers.map(async (caller) => (await caller.get(`/clusters/${id}`)).headers.get('etag')),
    )
  const before = await tags()
  expect(new Set(before).size).toBe(1)
  await dieAt('copied ', (dying) => moveTo(dying, tenantOf('copied'), 'b'))
  // The server of b reads its states for a new tenant.
  await placeTenant(directory, tenantOf('new'), 'b')
  await made(callerWith(b.server, tenantHeaders('new')), '/clusters', creation('Cluster'))
  expect(await tags()).toEqual(before)
  await abortMoveOf(commands, tenantOf('copied'))
  expect(await tags()).toEqual(before)
})

test('a move keeps its lock if the directory is in the database of a shard', async () => {
  const tenant = tenantOf('inside')
  for (const { name, databaseUrl } of [a, b]) {
    await register(a.databaseUrl, { name, database: databaseUrl, servers: [] })
  }
  await using inside = openTestDatabase(a.databaseUrl)
  await placeTenant(inside, tenant, 'a')
  // The move waits for this transaction in the copy.
  const { end } = await holdTransaction(b, 'lock table sandbox_operations in exclusive mode')
  const inShard = { ...commands, directory: inside, directoryUrl: a.databaseUrl }
  const moving = moveTo(inShard, tenant, 'b')
  await expect.poll(() => stateIn(b, 'inside')).toBe('arriving')
  await using lock = await lockMove(a.databaseUrl, tenant)
  expect(lock).toBeNull()
  await end()
  await moving
  expect(await stateIn(b, 'inside')).toBe('active')
})

test('an attempt that begins while an older one assigns the tenant waits for it', async () => {
  const tenant = tenantOf('assigning')
  await placeTenant(directory, tenant, 'a')
  await beginMove(directory, tenant, 'b')
  const begun = await directory.transaction(async (older) => {
    const values = [tenant]
    const lockMoveText = 'update tenant_moves set step = step where tenant = $1'
    await older.execute({ name: 'lock_tenant_move', text: lockMoveText }, values)
    const newer = beginAttempt(directory, tenant, 0n)
    const waits = `select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(() => query(commands.directoryUrl, waits)).toHaveLength(1)
    const assign = 'update tenant_shards set shard = shard where tenant = $1'
    await older.execute({ name: 'lock_tenant_shard', text: assign }, values)
    return { newer }
  })
  expect(await begun.newer).toMatchObject({ tenant, attempt: 1n })
})

describe.concurrent('an older attempt', () => {
  test.each<MoveStep>([
    'started',
    'frozen',
    'copied',
    'assigned',
    'departed',
    'activated',
    'recorded',
  ])('changes nothing after the step %s', async (step) => {
    const org = `older-${step}`
    const { write, names } = await populated(org)
    const word = step === 'started' ? 'org=' : `${step} `
    await dieAt(word, (dying) => moveTo(dying, tenantOf(org), 'b'))
    const moves = await listMoves(directory)
    const older = must(
      moves.find(({ tenant }) => tenant === tenantOf(org)),
      'the move',
    )
    expect(older.step).toBe(step)
    await abortMoveOf(commands, tenantOf(org))
    if ((await stateIn(a, org)) !== 'active') await moveTo(commands, tenantOf(org), 'a')
    await using first = openTestDatabase(a.databaseUrl)
    await using second = openTestDatabase(b.databaseUrl)
    const context = {
      directory,
      tables: TABLES,
      source: { name: 'a', url: a.databaseUrl, database: first },
      target: { name: 'b', url: b.databaseUrl, database: second },
      onTable: () => undefined,
      onNotice: () => undefined,
      onStep: () => undefined,
    }
    await expect(moveTenant(context, older)).rejects.toThrow(MoveError)
    expect([await stateIn(a, org), await stateIn(b, org)]).toEqual(['active', 'departed'])
    expect(await write('later')).toBe(201)
    expect(await names()).toEqual(['later', 'prod'])
  })

  test('of an abort that died is finished by the next abort', async () => {
    const { write, names } = await populated('undone')
    await dieAt('copied ', (dying) => moveTo(dying, tenantOf('undone'), 'b'))
    await dieAt('aborted ', (dying) => abortMoveOf(dying, tenantOf('undone')))
    await expect(moveTo(commands, tenantOf('undone'), 'b')).rejects.toThrow('not undone yet')
    await abortMoveOf(commands, tenantOf('undone'))
    expect(await write('later')).toBe(201)
    expect(await names()).toEqual(['later', 'prod'])
    expect([await stateIn(a, 'undone'), await stateIn(b, 'undone')]).toEqual(['active', 'departed'])
  })
})
