import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_ADAPTERS } from '../typescript-sdk/with-database.ts'
import { queryDatabase } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { assertNoLoss } from './assert-no-loss.ts'
import { printLoad } from './print-load.ts'
import { type Load, type LoadOptions, startLoad } from './start-load.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: NO_ADAPTERS })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Starts a load and waits for its first writes. */
async function runLoad(name: string, more: Partial<LoadOptions> = {}): Promise<Load> {
  const origin = (): string => server.origin
  const options = { origin, name, writers: 2, watches: 2, pauseMs: 2, timeoutMs: 60_000 }
  const load = await startLoad({ ...options, ...more })
  while (load.ledger.attempts.acknowledged < 60) await sleep(5)
  return load
}

/** Runs a load without deletions until a cluster has been changed and reported on, and stops it. */
async function stopLoad(name: string): Promise<Load> {
  // The watches never see the corrupted rows, so the load does not wait for them.
  const load = await runLoad(name, { random: () => 0.9 * Math.random(), catchUpMs: 0 })
  const isReady = (): boolean =>
    [...load.ledger.clusters.values()].some((one) => one.generation > 1 && one.report > 0)
  while (!isReady()) await sleep(5)
  await load.stop()
  return load
}

/** Changes rows without an event, as a loss of data would. */
async function corrupt(statement: string): Promise<void> {
  await queryDatabase(server, 'alter table resources disable trigger user')
  await queryDatabase(server, 'alter table adapter_statuses disable trigger user')
  await queryDatabase(server, statement)
  await queryDatabase(server, 'alter table resources enable trigger user')
  await queryDatabase(server, 'alter table adapter_statuses enable trigger user')
}

test('finds no loss without faults', async () => {
  const load = await runLoad('sound')
  const result = await load.finish()
  assertNoLoss(result)
  const lines: string[] = []
  printLoad(result, (line) => void lines.push(line))
  expect(lines[0]).toMatch(
    /^ {2}\d+ writes acknowledged, 0 lost, 0 with an unknown outcome, 0 failed$/,
  )
  expect(result.events).toBeGreaterThan(10)
  expect(result.ledger.attempts).toMatchObject({ refused: 0, lost: 0, unavailable: 0 })
})

test.each([
  [
    'a removed cluster',
    "delete from resources where name like 'removed-%'",
    'removed',
    /missing|not found/,
  ],
  [
    'an older state of a cluster',
    `update resources set generation = generation - 1
     where name like 'older-%' and generation > 1`,
    'older',
    /counter \d+ at its generation/,
  ],
  [
    'an older report',
    `update adapter_statuses set data = '{"sequence": 0}'
     where resource_id in (select id from resources where name like 'report-%')`,
    'report',
    /has report 0 instead of/,
  ],
])('finds %s', async (_what, statement, name, expected) => {
  const load = await stopLoad(name)
  await corrupt(statement)
  const { losses } = await load.finish()
  expect(losses.join('\n')).toMatch(expected)
})
