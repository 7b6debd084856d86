import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Client, type Resource, runWorker } from '../../../clients/typescript/src/index.ts'
import { createCluster, DNS_ONLY } from '../../adapter-work/worker.ts'
import { listen } from '../../../src/lib/listen.ts'
import { queryDatabase } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describe('workers of the SDK', () => {
  let server: TestServer
  let client: Client
  beforeAll(async () => {
    server = await startTestServer({ env: DNS_ONLY })
    client = new Client(server.origin)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** Waits until the stored lease of a cluster ends later than it does now. */
  async function untilRenewed(id: string): Promise<void> {
    const text = 'select wake_time from adapter_work where resource_id = $1'
    const leaseEnd = async () => Number((await queryDatabase(server, text, [id]))[0]?.['wake_time'])
    const first = await leaseEnd()
    await expect.poll(leaseEnd).toBeGreaterThan(first)
  }

  it('share the work, renew leases, repeat failed work and finalize deletions', async () => {
    const stop = new AbortController()
    const reconciled: string[] = []
    const failed = new Set<string>()
    const errors: unknown[] = []
    const reconcile = async ({ id, spec }: Resource) => {
      reconciled.push(id)
      if ('slow' in spec) await untilRenewed(id)
      if ('fails' in spec && !failed.has(id)) {
        failed.add(id)
        throw new Error('the first attempt fails')
      }
      return { available: 'True', reason: 'Done' } as const
    }
    const workers = [1, 2].map(() =>
      runWorker({
        client,
        name: 'dns',
        reconcile,
        leaseSeconds: 60,
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === 'failed') errors.push(event.error)
        },
      }),
    )
    const specs = [{ slow: true }, { fails: true }, ...Array.from({ length: 10 }, () => ({}))]
    const created = await Promise.all(specs.map((spec) => createCluster(server, { spec })))
    const ids: string[] = created.map(({ id }) => id)
    const notReady = async () => {
      const list = await server.get("/clusters?search=status.conditions.Ready='False'&fields=id")
      return list.body.total
    }
    await expect.poll(notReady, { timeout: 120_000 }).toBe(0)
    const runsOf = (id: string | undefined) => reconciled.filter((one) => one === id).length
    expect(ids.map(runsOf)).toEqual([1, 2, ...Array.from({ length: 10 }, () => 1)])
    expect(errors.map(String)).toEqual(['Error: the first attempt fails'])
    for (const id of ids) await server.request('DELETE', `/clusters/${id}`)
    await expect.poll(async () => (await server.get('/clusters')).body.total).toBe(0)
    stop.abort()
    await Promise.all(workers)
  })
  it('pause if the server answers without work immediately', async () => {
    const REQUESTS = 5
    const stop = new AbortController()
    let requests = 0
    const empty = createServer((request, response) => {
      requests += 1
      if (requests === REQUESTS) stop.abort()
      request.resume()
      response.setHeader('Content-Type', 'application/json')
      response.end('{"kind":"AdapterWorkList","size":0,"items":[]}')
    })
    const origin = `http://127.0.0.1:${await listen(empty, 0, '127.0.0.1')}`
    onTestFinished(() => void empty.close())
    const pauses = skipPauses()
    const reconcile = () => ({ available: 'True', reason: 'Done' }) as const
    await runWorker({ client: new Client(origin), name: 'dns', reconcile, signal: stop.signal })
    // The worker stops during the last request.
    expect([requests, pauses.length]).toEqual([REQUESTS, REQUESTS - 1])
  })
})

/** The file of the SDK that waits. The server of this process has timers, too. */
const SLEEP = 'clients/typescript/src/http/sleep.ts'

/** Ends pauses of workers of 1 to 2 seconds immediately. Returns their durations. */
function skipPauses(): readonly number[] {
  const pauses: number[] = []
  const original = setTimeout
  const skipping = (run: () => void, ms = 0): NodeJS.Timeout => {
    const isPause = ms >= 1000 && ms < 2000 && new Error('caller').stack?.includes(SLEEP) === true
    if (isPause) pauses.push(ms)
    return original(run, isPause ? 0 : ms)
  }
  vi.stubGlobal('setTimeout', skipping)
  onTestFinished(() => void vi.unstubAllGlobals())
  return pauses
}
