import { afterAll, expect, test } from 'vitest'
import { sandboxControllers } from '../../../src/sandboxes/server/sandbox-controllers.ts'
import { createSandboxMetrics } from '../../../src/sandboxes/server/sandbox-metrics.ts'
import { sandboxRecords } from '../../../src/sandboxes/storage/sandbox-records.ts'
import { readConfig } from '../../../src/cmd/settings.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { createMetrics } from '../../../src/http/observability/metrics.ts'
import { freePort } from '../../support/free-port.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const closed = `127.0.0.1:${await freePort()}`
const database = openTestDatabase(`postgresql://${closed}/none`)

afterAll(() => database[Symbol.asyncDispose]())

test('controllers that wait for the list of runtimes end with the term of the leader', async () => {
  const term = new AbortController()
  const start = sandboxControllers({
    config: readConfig([], {}),
    records: sandboxRecords(database),
    metrics: createSandboxMetrics(createMetrics().registry),
    tenantOf: () => Promise.resolve(''),
    apiTokens: { problem: 'not in this test', issue: () => Promise.resolve(null) },
    apiServer: () => Promise.resolve(null),
    installation: { current: () => Promise.resolve(null), forget: () => undefined },
  })
  let started: Promise<AsyncDisposable> | null = null
  const failed = await new Promise<string>((onError) => {
    const fleet = createHttpFleetClient({
      server: `http://${closed}`,
      userAgent: 'test',
      planes: ['root'],
      onError: () => undefined,
    })
    const { signal } = term
    started = start({ fleet, timers: systemTimers, random: Math.random, signal, onError })
  })
  expect(failed).toBe('directory of sandbox runtimes')
  term.abort()
  await expect(started).rejects.toBe(term.signal.reason)
})
