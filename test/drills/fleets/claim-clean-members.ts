import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDrillPostgres } from '../drill-postgres.ts'
import { startTwoServers, type TwoServers } from './two-servers.ts'

const FLEETS = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
const FLEET = '/apis/kplane.dev/v1/fleets/pool'
const CLIENTS = 3
/** A claim whose client was disturbed by a kill ends with its lease. */
const LEASE_SECONDS = 5
/** One of 20 claims is not released: its lease ends. */
const ABANDONED = 20
const TIMEOUT_MS = 1_200_000
const PAUSE_MS = 20

interface Size {
  readonly claims: number
  readonly kills: number
}

interface Tally {
  claims: number
  readonly dirty: string[]
  readonly pools: Set<string>
}

/**
 * Claims the members of a warm pool again and again while the controllers are killed: each claimed
 * plane has the object of the template and nothing else. Two claims are held all the time, so that
 * the pool grows and shrinks with each claim: members leave it and are adopted again.
 */
export async function claimCleanMembers(size: Size, print: (line: string) => void): Promise<void> {
  await using postgres = await startDrillPostgres()
  await using servers = await startTwoServers({ DATABASE_URL: postgres.url })
  await createPool(servers)
  const tally: Tally = { claims: 0, dirty: [], pools: new Set() }
  const end = performance.now() + TIMEOUT_MS
  const isDone = (): boolean => tally.claims >= size.claims || performance.now() > end
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isDone()) await claimOnce(servers, tally)
  })
  for (let kill = 1; kill <= size.kills && !isDone(); kill += 1) {
    const due = (size.claims * kill) / (size.kills + 1)
    while (tally.claims < due && !isDone()) await sleep(PAUSE_MS)
    await servers.killLeader()
    print(`  kill ${kill} after ${tally.claims} claims, ${tally.dirty.length} of them dirty`)
  }
  await Promise.all(clients)
  print(`  ${tally.claims} claims of ${tally.pools.size} planes, ${tally.dirty.length} dirty`)
  assert.deepEqual(tally.dirty, [])
  assert.ok(tally.claims >= size.claims, `only ${tally.claims} of ${size.claims} claims`)
}

async function createPool(servers: TwoServers): Promise<void> {
  const seed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seed' } }
  await servers.client.create(FLEETS, {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name: 'pool' },
    spec: { replicas: 2, minReady: 1, template: { objects: [seed] } },
  })
  for (let held = 0; held < 2;) {
    const { status } = await post(anyOf(servers), `${FLEET}/claim`, { holder: 'steady' })
    if (status === 200) held += 1
    else await sleep(PAUSE_MS)
  }
}

/** Claims a member, reads its config maps, writes one, and releases it. */
async function claimOnce(servers: TwoServers, tally: Tally): Promise<void> {
  try {
    const request = { holder: 'drill', ttlSeconds: LEASE_SECONDS }
    const { status, body: claim } = await post(anyOf(servers), `${FLEET}/claim`, request)
    if (status !== 200) return await pause()
    const { clusterID, claimID, uid } = Object(claim)
    const maps = `/clusters/${uid}/control-plane/api/v1/namespaces/default/configmaps`
    const names = await namesOf(anyOf(servers) + maps)
    tally.claims += 1
    tally.pools.add(uid)
    if (names.join() !== 'seed') tally.dirty.push(`${clusterID} (${uid}): ${names.join(', ')}`)
    const number = tally.claims
    const mark = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `mark-${number}` } }
    await post(anyOf(servers), maps, mark)
    if (number % ABANDONED === 0) return
    await post(anyOf(servers), `${FLEET}/release`, { clusterID, claimID })
  } catch (error) {
    // The connection to a killed server.
    if (!(error instanceof TypeError)) throw error
    await pause()
  }
}

async function pause(): Promise<void> {
  await sleep(PAUSE_MS)
}

/** Either server: an answer must not depend on the one that was asked before. */
function anyOf(servers: TwoServers): string {
  const origins = servers.origins()
  return origins[Math.floor(Math.random() * origins.length)] ?? ''
}

async function post(origin: string, target: string, body: object) {
  const url = origin + target
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: unknown = await response.json()
  return { status: response.status, body: answer }
}

async function namesOf(url: string): Promise<readonly string[]> {
  const response = await fetch(url)
  const { items } = Object(await response.json())
  if (!response.ok) throw new TypeError(`the list was answered with ${response.status}`)
  const maps: readonly { readonly metadata: { readonly name: string } }[] = items
  return maps.map(({ metadata }) => metadata.name)
}
