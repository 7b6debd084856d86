import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, must } from '../../../src/lib/assert.ts'
import { CLUSTERS } from '../load/cluster-writes.ts'
import { createLoadClient, type LoadClient } from '../load/load-client.ts'
import type { Drill } from '../drill.ts'
import { buildChecker } from './check-history.ts'
import { startDrilledServers } from './drilled-servers.ts'
import { History, type Operation } from './history.ts'
import { clusterRegisters, configMapRegisters } from './registers.ts'
import { runClients } from './run-clients.ts'
import { missingEvents, type ValueWatch, watchProblems, watchValues } from './watch-values.ts'

const PAUSE_BETWEEN_FAULTS_MS = 1500
/** Without the last events after this time, they are missing. A busy machine needs a part of it. */
const MAX_DELAY_MS = 60_000
const SAMPLE_MS = 100
/** Time in which an event could be repeated. */
const SETTLE_MS = 5000
const TIMEOUT_MS = 10_000

/** Histories of concurrent reads and conditional writes under kills, checked by Porcupine. */
export const linearizability: Drill = {
  summary:
    'reads and conditional writes are linearizable under kills; watches send each value once',
  cases: [
    { name: '20-seconds', run: () => inFolder((folder) => checkUnderFaults(folder, 20)) },
    { name: '5-minutes', run: () => inFolder((folder) => checkUnderFaults(folder, 300)) },
    { name: 'planted-faults', run: () => inFolder(findPlantedFaults) },
  ],
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-linearizability-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Rejects with the calls on the objects whose history is not linearizable. */
async function checkUnderFaults(folder: string, seconds: number): Promise<void> {
  const checker = await buildChecker(folder)
  const { histories, watches } = await record(seconds)
  const operations = histories.flatMap((history) => history.operations)
  console.log(summaryOf(operations))
  const violations = await checker.violations(operations)
  assert(violations === null, `not linearizable:\n${violations}`)
  const problems = watches.flatMap((values, index) =>
    watchProblems(values, histories[index]?.operations ?? []),
  )
  assert(problems.length === 0, `wrong events:\n${problems.slice(0, 50).join('\n')}`)
}

/** The calls of clients and the events of watches, of clusters first and of config maps. */
async function record(seconds: number) {
  await using servers = await startDrilledServers()
  let turn = 0
  const origin = (): string => servers.origins[(turn += 1) % servers.origins.length] ?? ''
  using client = createLoadClient({ origin, timeoutMs: TIMEOUT_MS })
  const apis = [
    { prefix: 'cluster', registers: clusterRegisters(client), watch: clusterWatch(client) },
    { prefix: 'object', registers: configMapRegisters(client), watch: configMapWatch(client) },
  ]
  const histories = apis.map(() => new History())
  const [working, watching] = [new AbortController(), new AbortController()]
  const watches = await Promise.all(
    apis.map(({ watch }) => watchValues(watch, watching.signal)),
  ).catch((error: unknown) => {
    watching.abort()
    throw error
  })
  const clients = Promise.all(
    apis.map(({ prefix, registers }, index) =>
      runClients({ history: must(histories[index], prefix), registers, prefix }, working.signal),
    ),
  )
  try {
    await Promise.race([injectFaults(Object.values(servers.faults), seconds), clients])
    working.abort()
    await clients
    await untilSeen(watches, histories)
    await sleep(SETTLE_MS)
  } finally {
    working.abort()
    watching.abort()
  }
  await Promise.all(watches.map(({ ended }) => ended))
  return { histories, watches: watches.map(({ values }) => values) }
}

/** Waits until the watches have sent an event of every acknowledged value, or until they must have. */
async function untilSeen(
  watches: readonly ValueWatch[],
  histories: readonly History[],
): Promise<void> {
  const end = performance.now() + MAX_DELAY_MS
  const isMissing = ({ values }: ValueWatch, index: number): boolean =>
    missingEvents(values, histories[index]?.operations ?? []).length > 0
  while (watches.some(isMissing) && performance.now() < end) await sleep(SAMPLE_MS)
}

/** Injects faults in turns for a time. */
async function injectFaults(
  faults: readonly (() => Promise<void>)[],
  seconds: number,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let index = 0; performance.now() < end; index += 1) {
    await sleep(PAUSE_BETWEEN_FAULTS_MS)
    await faults[index % faults.length]?.()
  }
}

function clusterWatch(client: LoadClient): Parameters<typeof watchValues>[0] {
  return {
    client,
    path: CLUSTERS,
    keyOf: ({ name }) => String(name),
    valueOf: ({ spec }) => String(Object(spec).value),
    versionOf: (event) => String(event['resource_version']),
  }
}

function configMapWatch(client: LoadClient): Parameters<typeof watchValues>[0] {
  return {
    client,
    path: '/api/v1/namespaces/default/configmaps',
    keyOf: ({ metadata }) => String(Object(metadata).name),
    valueOf: ({ data }) => String(Object(data).value),
    versionOf: ({ object }) => String(Object(Object(object).metadata).resourceVersion),
  }
}

function summaryOf(operations: readonly Operation[]): string {
  const count = (outcome: Operation['outcome']): number =>
    operations.filter((call) => call.kind !== 'read' && call.outcome === outcome).length
  const reads = operations.filter(({ kind }) => kind === 'read').length
  return `${reads} reads; writes: ${count('ok')} ok, ${count('no')} rejected, ${count('unknown')} unknown`
}

const WRITE = { client: 1, key: 'a', outcome: 'ok' } as const

/** Histories with a fault. */
const PLANTED: Readonly<Record<string, readonly Operation[]>> = {
  'a stale read': [
    { ...WRITE, kind: 'create', value: 'x', expected: '', called: 1, returned: 2 },
    { ...WRITE, kind: 'swap', value: 'y', expected: 'x', called: 3, returned: 4 },
    { ...WRITE, kind: 'read', value: 'x', expected: '', called: 5, returned: 6 },
  ],
  'a lost update': [
    { ...WRITE, kind: 'create', value: 'x', expected: '', called: 1, returned: 2 },
    { ...WRITE, kind: 'swap', value: 'y', expected: 'x', called: 3, returned: 6 },
    { ...WRITE, kind: 'swap', value: 'z', expected: 'x', client: 2, called: 4, returned: 5 },
  ],
}

/** The values of events of the first history. */
const PLANTED_EVENTS: Readonly<Record<string, string[]>> = {
  none: ['x', 'y'],
  'a missing event': ['y'],
  'a repeated event': ['x', 'y', 'y'],
  'a wrong order': ['y', 'x'],
  'an unknown value': ['x', 'y', 'z'],
}

/** The same history without its last call must pass, so that the checker does not reject all. */
async function findPlantedFaults(folder: string): Promise<void> {
  const checker = await buildChecker(folder)
  for (const [name, history] of Object.entries(PLANTED)) {
    assert((await checker.violations(history)) !== null, `the checker missed ${name}`)
    assert((await checker.violations(history.slice(0, -1))) === null, `without ${name}`)
  }
  const [written = []] = Object.values(PLANTED)
  for (const [name, values] of Object.entries(PLANTED_EVENTS)) {
    const isFound = watchProblems(new Map([['a', values]]), written).length > 0
    assert(isFound !== (name === 'none'), `the events with ${name}`)
  }
}
