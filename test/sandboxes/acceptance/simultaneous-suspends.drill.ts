import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { proofCases } from '../../support/proof-size.ts'
import { poll } from '../support/poll.ts'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

/** More than a runtime has operations at a time (16), and than the pool has connections (20). */
const FEW = 60
const NUMBERS = Array.from({ length: 200 }, (_, index) => index)
const NAMES = proofCases(NUMBERS, (index) => index < FEW).map((index) => `crowd-${index}`)
const SANDBOXES = NAMES.length
const READS = 100
const IDLE_IN_TRANSACTION = `
  select pid || ' since ' || xact_start as transaction from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`

let fixture: ReferenceFixture
let database: pg.Client

beforeAll(async () => {
  fixture = await startReferenceFixture()
  database = new pg.Client({ connectionString: fixture.server.databaseUrl })
  await database.connect()
}, 120_000)

afterAll(async () => {
  await database.end()
  await fixture[Symbol.asyncDispose]()
})

const countOf = (state: string): number =>
  [...fixture.reference.state.instances.values()].filter(({ instance }) => instance.state === state)
    .length

const setMode = (operatingMode: string): Promise<unknown> =>
  Promise.all(NAMES.map((name) => fixture.api.patchSandbox(name, { spec: { operatingMode } })))

// The benchmark `sandboxes` measures the latency. Here the driver never answers, so the API would
// hang if a driver call held a connection, a transaction or the event loop.
test("simultaneous suspends do not affect the API's p99", async () => {
  const { api, reference } = fixture
  await Promise.all(NAMES.map((name) => api.createSandbox(name, HIBERNATES)))
  await untilCount('Running', (running) => running === SANDBOXES)
  const hang = { type: 'hang' } as const
  reference.faults.inject({
    call: 'checkpoint',
    point: 'during-effect',
    action: hang,
    times: 10 * SANDBOXES,
  })
  await setMode('Suspended')
  await untilCount('Frozen', (frozen) => frozen > 1)
  const samples: (readonly string[])[] = []
  for (let read = 0; read < READS; read += 1) {
    const [response, activity] = await Promise.all([
      api.getSandbox(must(NAMES[read % SANDBOXES], 'a name')),
      database.query(IDLE_IN_TRANSACTION),
    ])
    expect(response.status).toBe(200)
    samples.push(activity.rows.map(({ transaction }) => transaction))
  }
  // Other transactions are idle between two statements, but not during all reads.
  const held = samples[0]?.filter((one) => samples.every((idle) => idle.includes(one)))
  expect(held?.length).toBeLessThan(2)
  // The number of calls at a time has a limit, so the other sandboxes wait and run.
  expect(countOf('Frozen')).toBeGreaterThan(0)
  expect(countOf('Running')).toBeGreaterThan(SANDBOXES / 2)

  // A request for Running cancels the checkpoints that have begun.
  reference.faults.clear()
  await setMode('Running')
  await untilCount('Running', (running) => running === SANDBOXES)
}, 400_000)

/** Polls in steps, because all sandboxes take longer than one condition. */
async function untilCount(state: string, isDone: (count: number) => boolean): Promise<void> {
  let last = -1
  // The deadline of a poll starts again while the number changes.
  for (;;) {
    const count = await poll(
      `the number of ${state} instances to change from ${last}`,
      async () => countOf(state),
      (current) => current !== last || isDone(current),
    )
    if (isDone(count)) return
    last = count
  }
}
