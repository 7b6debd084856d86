import { reportBody } from '../data/report-body.ts'
import type { Answer } from '../load/client.ts'
import type { Recorder } from '../load/recorder.ts'
import type { Fleet, Written } from './fleet.ts'
import type { Latencies } from './latencies.ts'
import type { ServerPair } from './server-pair.ts'

/** What the writers of a run share. */
export interface Load {
  readonly servers: ServerPair
  readonly fleet: Fleet
  readonly latencies: Latencies
  readonly recorder: Recorder
  /** Above it nothing is created. */
  readonly mostResources: number
  readonly signal: AbortSignal
  /** Writes that ended with their connection. */
  lost: number
}

type Operation = (load: Load) => Promise<void>

/** What is written next, by weight. */
const MIX: readonly (readonly [number, Operation])[] = [
  [4, createCluster],
  [6, createNodePool],
  [14, patchSpec],
  [16, patchLabels],
  [38, flip],
  [12, heartbeat],
  [5, remove],
  [3, forceRemoval],
  [2, finishRemoval],
]

const WHOLE = MIX.reduce((sum, [weight]) => sum + weight, 0)
const CREWS = ['blue', 'red', 'green', 'none']

/** One connection's writes, through either server, until they are to stop. */
export async function runWriter(load: Load): Promise<void> {
  while (!load.signal.aborted) await choose()(load)
}

function choose(): Operation {
  let rest = Math.random() * WHOLE
  for (const [weight, operation] of MIX) {
    rest -= weight
    if (rest < 0) return operation
  }
  return flip
}

interface Sending {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: object
}

interface Sent extends Answer {
  /** The number of the server that answered. */
  readonly server: number
}

/** Null where the connection ended before the answer. */
async function send({ servers, recorder }: Load, sending: Sending): Promise<Sent | null> {
  const { operation, method, path, body } = sending
  const server = servers.any()
  const start = performance.now()
  try {
    const answer = await server.client.request(method, path, body)
    recorder.record(operation, answer.status, performance.now() - start)
    return { ...answer, server: server.number }
  } catch {
    return null
  }
}

async function createCluster(load: Load): Promise<void> {
  const { fleet } = load
  if (fleet.size > load.mostResources) return
  const turn = fleet.nextTurn()
  const body = { kind: 'Cluster', name: `rebuilt-${turn}`, spec: specOf(turn), labels: labelsOf() }
  const operation = 'create cluster'
  const answer = await send(load, { operation, method: 'POST', path: '/clusters', body })
  if (answer?.status === 201) fleet.add(JSON.parse(answer.text))
  if (answer === null) load.lost += 1
}

async function createNodePool(load: Load): Promise<void> {
  const { fleet } = load
  const cluster = fleet.pick(({ kind, isBeingDeleted }) => kind === 'Cluster' && !isBeingDeleted)
  if (!cluster || fleet.size > load.mostResources) return
  const turn = fleet.nextTurn()
  const body = {
    kind: 'NodePool',
    name: `pool-${turn % 10_000_000}`,
    spec: specOf(turn),
    labels: labelsOf(),
  }
  const path = `${cluster.path}/nodepools`
  await write(
    load,
    cluster,
    { operation: 'create node pool', method: 'POST', path, body },
    (sent) => {
      if (sent.status === 201) fleet.add(JSON.parse(sent.text))
    },
  )
}

async function patchSpec(load: Load): Promise<void> {
  await patch(load, 'patch spec', (turn) => ({ spec: specOf(turn) }))
}

async function patchLabels(load: Load): Promise<void> {
  await patch(load, 'patch labels', () => ({ labels: labelsOf() }))
}

async function patch(
  load: Load,
  operation: string,
  change: (turn: number) => object,
): Promise<void> {
  const { fleet, latencies } = load
  const one = fleet.pick(({ isBeingDeleted }) => !isBeingDeleted)
  if (!one) return
  const turn = fleet.nextTurn()
  const body = { ...change(turn), annotations: { turn: String(turn) } }
  await write(
    load,
    one,
    { operation, method: 'PATCH', path: one.path, body },
    ({ status, text, server }) => {
      if (status !== 200) return
      one.generation = JSON.parse(text).generation
      latencies.answered({ id: one.id, turn, server })
    },
  )
}

async function flip(load: Load): Promise<void> {
  const one = load.fleet.pick(() => true)
  const adapter = one?.adapters[Math.floor(Math.random() * one.adapters.length)]
  if (!one || adapter === undefined) return
  const verdict = Math.random() < 0.3 ? 'False' : 'True'
  const body = {
    ...reportBody({ adapter, verdict, observedTime: new Date().toISOString() }),
    observed_generation: one.generation,
    data: { turn: load.fleet.nextTurn() },
  }
  await report(load, one, { operation: 'report', adapter, body })
}

/** What an adapter has said before, at another time. */
async function heartbeat(load: Load): Promise<void> {
  const one = load.fleet.pick(({ reports }) => reports.size > 0)
  const [last] = one?.reports ?? []
  if (!one || !last) return
  const [adapter, said] = last
  const body = { ...said, observed_time: new Date().toISOString() }
  await report(load, one, { operation: 'heartbeat', adapter, body })
}

interface Report {
  readonly operation: string
  readonly adapter: string
  readonly body: object
}

async function report(
  load: Load,
  one: Written,
  { operation, adapter, body }: Report,
): Promise<void> {
  const path = `${one.path}/statuses`
  await write(load, one, { operation, method: 'POST', path, body }, ({ status }) => {
    if (status === 201) one.reports.set(adapter, body)
  })
}

async function remove(load: Load): Promise<void> {
  const one = load.fleet.pick(({ isBeingDeleted, isKept }) => !isBeingDeleted && !isKept)
  if (!one) return
  await write(
    load,
    one,
    { operation: 'delete', method: 'DELETE', path: one.path },
    ({ status }) => {
      if (status === 202) one.isBeingDeleted = true
    },
  )
}

async function forceRemoval(load: Load): Promise<void> {
  const one = load.fleet.pick(({ isBeingDeleted }) => isBeingDeleted)
  if (!one) return
  const path = `${one.path}/force-delete`
  const body = { reason: 'the load asks for it' }
  await write(
    load,
    one,
    { operation: 'force-delete', method: 'POST', path, body },
    ({ status }) => {
      if (status === 204) load.fleet.drop(one)
    },
  )
}

/** All adapters say that they are done: the last of them removes it, where no child is left. */
async function finishRemoval(load: Load): Promise<void> {
  const one = load.fleet.pick(({ isBeingDeleted }) => isBeingDeleted)
  if (!one) return
  await hold(load, one, async () => {
    const { path } = one
    const read = { operation: 'get', method: 'GET', path }
    const isRead = await attempt(load, one, read, ({ status, text }) => {
      if (status === 200) one.generation = JSON.parse(text).generation
    })
    if (!isRead) return false
    for (const adapter of one.adapters) {
      const body = finalizedReport(one, adapter, load.fleet.nextTurn())
      const sending = { operation: 'finalized', method: 'POST', path: `${path}/statuses`, body }
      if (!(await attempt(load, one, sending, () => undefined))) return false
    }
    return true
  })
}

function finalizedReport({ generation }: Written, adapter: string, turn: number): object {
  const observedTime = new Date().toISOString()
  const body = reportBody({ adapter, verdict: 'False', observedTime })
  return {
    ...body,
    observed_generation: generation,
    data: { turn },
    conditions: [...body.conditions, { type: 'Finalized', status: 'True' }],
  }
}

type Answered = (sent: Sent) => void

/** One write to one, which nobody else writes to meanwhile. */
async function write(
  load: Load,
  one: Written,
  sending: Sending,
  answered: Answered,
): Promise<void> {
  await hold(load, one, () => attempt(load, one, sending, answered))
}

/**
 * Keeps others from writing to one, so that its turns are in order. After a write without an answer
 * it is left alone: a server that was killed may have left one to be committed later.
 */
async function hold(load: Load, one: Written, work: () => Promise<boolean>): Promise<void> {
  one.isBusy = true
  if (await work()) {
    one.isBusy = false
    return
  }
  load.lost += 1
  load.fleet.drop(one)
}

/** Whether there was an answer. */
async function attempt(
  load: Load,
  one: Written,
  sending: Sending,
  answered: Answered,
): Promise<boolean> {
  const sent = await send(load, sending)
  if (sent === null) return false
  if (sent.status === 404) load.fleet.drop(one)
  // A node pool goes with its cluster, which the load does not follow.
  if (sent.status === 409) one.isBeingDeleted = true
  answered(sent)
  return true
}

function specOf(turn: number): object {
  return { turn, region: `region-${turn % 7}`, text: 'x'.repeat(300) }
}

function labelsOf(): object {
  return { crew: CREWS[Math.floor(Math.random() * CREWS.length)], shard: String(Date.now() % 50) }
}
