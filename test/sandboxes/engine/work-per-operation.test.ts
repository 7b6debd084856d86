import { afterAll, beforeAll, expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

/** The least of several runs counts: other work of the server falls into some of them. */
const NAMES = ['first', 'second', 'third']
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
/** A status shows the steps of slow operations, at most this often. */
const STEP_REPORT_MS = 2000
const STATEMENTS_OF_REPORT = 4
/** The statements about objects, rows and operations. Others depend on the time. */
const COUNTED =
  /^(advance_sandbox_operation|begin_sandbox_operation|count_sandbox_instances|list_objects|read_objects?|read_sandbox_\w+|write_objects)$/

let fixture: ReferenceFixture

beforeAll(async () => {
  fixture = await startReferenceFixture()
})

afterAll(() => fixture[Symbol.asyncDispose]())

interface Work {
  readonly reconciliations: number
  readonly statements: number
}

const scrape = async (): Promise<string> =>
  (await fetch(`${fixture.server.metricsOrigin}/metrics`)).text()

function workOf(metrics: string): Work {
  let reconciliations = 0
  let statements = 0
  for (const line of metrics.split('\n')) {
    const value = Number(/ (\d+)$/.exec(line)?.[1])
    const statement = /^flotilla_db_query_duration_seconds_count\{statement="(\w+)"/.exec(line)?.[1]
    if (line.startsWith('flotilla_reconciles_total{')) reconciliations += value
    if (statement !== undefined && COUNTED.test(statement)) statements += value
  }
  return { reconciliations, statements }
}

/** The work so far, when no controller has work. */
async function workUntilIdle(): Promise<Work> {
  const isIdle = (metrics: string): boolean =>
    [...metrics.matchAll(/^flotilla_controller_queue_items\{.*\} (\d+)$/gm)].every(
      ([, size]) => size === '0',
    )
  return workOf(await poll('empty queues of controllers', scrape, isIdle))
}

/** The least work of an operation. Leaves out what the reports of a slow operation may have added. */
async function leastWork(operate: (name: string) => Promise<unknown>): Promise<Work> {
  const works: Work[] = []
  for (const name of NAMES) {
    const before = await workUntilIdle()
    const start = performance.now()
    await operate(name)
    const after = await workUntilIdle()
    const reports = Math.floor((performance.now() - start) / STEP_REPORT_MS)
    works.push({
      reconciliations: after.reconciliations - before.reconciliations - reports,
      statements: after.statements - before.statements - reports * STATEMENTS_OF_REPORT,
    })
  }
  return {
    reconciliations: Math.min(...works.map(({ reconciliations }) => reconciliations)),
    statements: Math.min(...works.map(({ statements }) => statements)),
  }
}

async function call(method: string, path: string, body?: object): Promise<void> {
  const response = await fixture.api.call(method, SANDBOXES + path, body)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
}

test('an operation reconciles few times and reads few objects', async () => {
  const created = await leastWork(async (name) => {
    await fixture.api.createSandbox(name, HIBERNATES)
    await call('GET', `/${name}?wait=Ready=True&timeout=60s`)
  })
  const suspended = await leastWork((name) => call('POST', `/${name}/suspend`, { wait: '60s' }))
  const resumed = await leastWork((name) => call('POST', `/${name}/resume`, { wait: '60s' }))
  // One reconciliation begins the operation, one reports its end, and one finds surplus snapshots.
  expect(created.reconciliations).toBeLessThanOrEqual(4)
  expect(created.statements).toBeLessThanOrEqual(23)
  // The Snapshot has an owner, which the garbage collector reads.
  expect(suspended.reconciliations).toBeLessThanOrEqual(6)
  expect(suspended.statements).toBeLessThanOrEqual(40)
  expect(resumed.reconciliations).toBeLessThanOrEqual(4)
  expect(resumed.statements).toBeLessThanOrEqual(30)
})
