import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { type ProbeSchema, ProbesSchema } from '../../generated/proto/snapshot_driver_pb.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type CheckResult, milliseconds, type ProbedState, runProbes } from './run-probes.ts'

type Init = MessageInitShape<typeof ProbeSchema>

const OK = { isSuccess: true, message: '' }
const BAD = { isSuccess: false, message: 'no' }
const FRESH = { hasStarted: true, isReady: false, message: 'new' }

/** Distinguishes the probes of a test by the port of their check. */
function probe(port: number, fields: Omit<Exclude<Init, { $typeName: string }>, 'check'> = {}) {
  const times = { periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 }
  return { ...times, ...fields, check: { case: 'tcp' as const, value: { port } } }
}

interface Script {
  readonly startup?: Init
  readonly readiness?: Init
  readonly liveness?: Init
  readonly state?: ProbedState
  /** The results of a check by its port. The probes end after the last one. */
  readonly results: Readonly<Record<number, readonly CheckResult[]>>
}

/** Runs probes in their own time, and returns what happened, with the second in which it did. */
async function events({ results, state = FRESH, ...probes }: Script): Promise<readonly string[]> {
  const seen: string[] = []
  const stop = new AbortController()
  const rest = new Map(Object.entries(results).map(([port, list]) => [Number(port), [...list]]))
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  let now = 0
  const at = (text: string): void => void seen.push(`${now / 1000} ${text}`)
  const run = runProbes(
    create(ProbesSchema, probes),
    {
      state,
      age: () => now,
      pause: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
      check: async ({ check }) => {
        const left = rest.get(check.case === 'tcp' ? check.value.port : 0) ?? []
        const result = left.shift()
        if (result !== undefined) return result
        stop.abort()
        return null
      },
      onState: async ({ isReady, message }) => at(`${isReady ? 'ready' : 'unready'} ${message}`),
      onFailure: async (_, message) => at(message),
    },
    stop.signal,
  )
  const ended = new AbortController()
  void run.then(() => ended.abort())
  while (!ended.signal.aborted) {
    // Lets all checks of this moment finish.
    await new Promise(setImmediate)
    const next = sleepers.toSorted((one, other) => one.at - other.at)[0]
    if (next === undefined) continue
    sleepers.splice(sleepers.indexOf(next), 1)
    now = Math.max(now, next.at)
    next.wake()
  }
  await run
  return seen
}

it('reports readiness after the thresholds, and the reason of early failures', async () => {
  const readiness = probe(1, { initialDelaySeconds: 5, successThreshold: 2, failureThreshold: 2 })
  const results = { 1: [BAD, OK, OK, BAD, OK, BAD, BAD] }
  expect(await events({ readiness, results })).toEqual([
    '5 unready the readiness probe fails: no',
    '25 ready ',
    '65 unready the readiness probe fails: no',
  ])
})

it('ends an instance whose liveness probe fails as often as the threshold in a row', async () => {
  const results = { 1: [BAD, BAD, OK, BAD, BAD, BAD, OK] }
  expect(await events({ liveness: probe(1), results })).toEqual([
    '50 the liveness probe has failed: no',
  ])
})

it('performs other probes after the startup probe has succeeded', async () => {
  const state = { ...FRESH, hasStarted: false }
  const results = { 1: [BAD, OK], 2: [OK, OK], 3: [OK, OK] }
  const probes = { startup: probe(1), readiness: probe(2), liveness: probe(3) }
  const seen = await events({ ...probes, state, results })
  expect(seen.slice(0, 3)).toEqual([
    '0 unready the startup probe has not succeeded yet: no',
    '10 unready the readiness probe has not succeeded yet',
    '10 ready ',
  ])
  const failing = { 1: [BAD, BAD, BAD], 2: [OK] }
  expect((await events({ ...probes, state, results: failing })).at(-1)).toBe(
    '20 the startup probe has failed: no',
  )
  const only = await events({ startup: probe(1), state, results: { 1: [OK] } })
  expect(only).toEqual(['0 ready '])
})

it('continues with the state that an earlier runtime has recorded', async () => {
  const state = { hasStarted: true, isReady: true, message: '' }
  const results = { 2: [BAD, OK, BAD, BAD, BAD] }
  expect(await events({ startup: probe(1), readiness: probe(2), state, results })).toEqual([
    '10 ready ',
    '40 unready the readiness probe fails: no',
  ])
})

it('ignores checks of stopped processes, and repeats them soon', async () => {
  const results = { 1: [BAD, BAD, null, null, BAD] }
  expect(await events({ liveness: probe(1), results })).toEqual([
    '22 the liveness probe has failed: no',
  ])
})

it('keeps times within the timers of the platform', () => {
  expect([0, 1, 90].map(milliseconds)).toEqual([1000, 1000, 90_000])
  expect(milliseconds(2 ** 31 - 1)).toBe(2 ** 31 - 1)
})
