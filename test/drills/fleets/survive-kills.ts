import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { KubeError } from '../../../src/planes/errors/kube-error.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import type { JsonObject } from '../../../src/lib/json/json.ts'
import { startDrillPostgres } from '../drill-postgres.ts'
import { observeMembers } from './observed-members.ts'
import { startTwoServers } from './two-servers.ts'

const FLEETS = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
const FLEET = { namespace: '', name: 'chaos' }
/** Wanted replicas, one for each kill in turn. */
const SIZES = [2500, 40, 1800, 0, 2200, 700]
const LAST_SIZE = 1234
/** They change fleets of half the size: still more than one write of the controller. */
const FEW_KILLS = 5
/** A kill comes at a random time after the first members have changed. */
const MAX_DELAY_MS = 600
const START_MS = 3000
const CONVERGE_MS = 120_000
const SAMPLE_MS = 200

const SEED = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'seed', namespace: 'default' },
  data: { index: `\${index}` },
}

/**
 * Scales a fleet up and down, kills the controllers during each change, and requires that the
 * fleet converges with exactly its members, and that it never has more than the larger size.
 */
export async function surviveKills(kills: number, print: (line: string) => void): Promise<void> {
  const sizeOf = (size: number): number => (kills < FEW_KILLS ? Math.ceil(size / 2) : size)
  const lastSize = sizeOf(LAST_SIZE)
  await using postgres = await startDrillPostgres()
  const pool = new pg.Pool({ connectionString: postgres.url })
  pool.on('error', () => undefined)
  try {
    await using servers = await startTwoServers({
      DATABASE_URL: postgres.url,
      HYPERFLEET_CLUSTER_ADAPTERS: '[]',
      HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
    })
    const { client } = servers
    await client.create(FLEETS, {
      apiVersion: 'kplane.dev/v1',
      kind: 'Fleet',
      metadata: { name: FLEET.name },
      spec: {
        replicas: 10,
        scaleDownPolicy: 'Delete',
        deletionPolicy: 'Delete',
        template: { objects: [SEED] },
      },
    })
    await untilConverged(client, pool, 10)
    let before = 10
    for (let kill = 1; kill <= kills; kill += 1) {
      const size = sizeOf(SIZES[(kill - 1) % SIZES.length] ?? LAST_SIZE)
      await scale(client, size)
      await untilStarted(pool, before)
      await sleep(Math.random() * MAX_DELAY_MS)
      const { members } = await observeMembers(pool, FLEET.name)
      await servers.killLeader()
      print(`  kill ${kill}: ${before} -> ${size} replicas, killed at ${members.length} members`)
      before = await untilMoved(pool, { from: before, to: size })
    }
    await scale(client, lastSize)
    await untilConverged(client, pool, lastSize)
    await client.delete(FLEETS, FLEET, { propagationPolicy: 'Foreground' })
    await servers.killLeader()
    await untilGone(client, pool)
  } finally {
    await pool.end()
  }
}

/** A server that was killed may still be the target of the first attempts. */
async function retry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 503 || attempt === 50) throw error
      await sleep(SAMPLE_MS)
    }
  }
}

function scale(client: PlaneClient, replicas: number): Promise<unknown> {
  const body: JsonObject = { spec: { replicas } }
  return retry(() => client.patch(FLEETS, FLEET, { type: 'merge', body }))
}

/** Waits for the first changed members, but not forever: a small change may be complete. */
async function untilStarted(pool: pg.Pool, before: number): Promise<void> {
  const deadline = performance.now() + START_MS
  while (performance.now() < deadline) {
    const { clusters } = await observeMembers(pool, FLEET.name)
    if (clusters.length !== before) return
    await sleep(20)
  }
}

interface Move {
  readonly from: number
  readonly to: number
}

/** Waits until another controller continues the change. The fleet never leaves the bounds. */
async function untilMoved(pool: pg.Pool, { from, to }: Move): Promise<number> {
  const [least, most] = [Math.min(from, to), Math.max(from, to)]
  const deadline = performance.now() + CONVERGE_MS
  for (;;) {
    const { clusters, members } = await observeMembers(pool, FLEET.name)
    assert.ok(clusters.length <= most, `${clusters.length} clusters exceed ${most} replicas`)
    assert.ok(members.length >= least, `${members.length} members are fewer than ${least}`)
    if (members.length === to) return to
    assert.ok(performance.now() < deadline, `${members.length} members instead of ${to}`)
    await sleep(SAMPLE_MS)
  }
}

/** Waits for the status, then compares the database with the spec. */
async function untilConverged(client: PlaneClient, pool: pg.Pool, size: number): Promise<void> {
  const deadline = performance.now() + CONVERGE_MS
  for (;;) {
    const { metadata, status } = await retry(() => client.get(FLEETS, FLEET))
    const { observedGeneration, replicas, readyReplicas } = Object(status)
    const isCurrent = observedGeneration === metadata.generation
    if (isCurrent && replicas === size && readyReplicas === size) break
    assert.ok(performance.now() < deadline, `the status has ${replicas} of ${size} replicas`)
    await sleep(SAMPLE_MS)
  }
  const expected = Array.from(
    { length: size },
    (_, index) => `${FLEET.name}-${String(index).padStart(4, '0')}`,
  )
  const { clusters, members, unseeded } = await observeMembers(pool, FLEET.name)
  assert.deepEqual(clusters, expected)
  assert.deepEqual(members, expected)
  assert.deepEqual(unseeded, [])
}

async function untilGone(client: PlaneClient, pool: pg.Pool): Promise<void> {
  const deadline = performance.now() + CONVERGE_MS
  while (await isThere(client)) {
    assert.ok(performance.now() < deadline, 'the deleted fleet remains')
    await sleep(SAMPLE_MS)
  }
  assert.deepEqual((await observeMembers(pool, FLEET.name)).clusters, [])
}

async function isThere(client: PlaneClient): Promise<boolean> {
  try {
    await retry(() => client.get(FLEETS, FLEET))
    return true
  } catch (error) {
    if (error instanceof KubeError && error.code === 404) return false
    throw error
  }
}
