import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { createHttpPlaneClient } from '../../../src/planes/controllers/client/http/http-plane-client.ts'
import { renewRegistration } from '../../../src/sandboxes/controllers/sandboxes/runtimes/register-runtime.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const RUNTIMES = { group: 'sandbox.flotilla.dev', version: 'v1alpha1', plural: 'sandboxruntimes' }

let server: TestServer
let client: PlaneClient
beforeAll(async () => {
  server = await startTestServer()
  client = createHttpPlaneClient({ server: server.origin, userAgent: 'test' }, 'root', null)
})
afterAll(() => server[Symbol.asyncDispose]())

const renewal = (id: string, sandboxes: number) => ({
  clock: systemClock,
  describe: () =>
    Promise.resolve({
      id,
      spec: { endpoint: 'unix:/run/sandboxd.sock', machine: 'here', capacity: { sandboxes: 1 } },
      sandboxes,
      refusal: null,
      startProblem: null,
      isolation: [],
      images: [],
      limits: [],
    }),
})

/** A client that another renewal of the runtime overtakes before the first call of a method. */
function overtaken(method: 'create' | 'updateSubresource', id: string): PlaneClient {
  let isFirst = true
  const before = async (): Promise<void> => {
    if (!isFirst) return
    isFirst = false
    await renewRegistration({ ...renewal(id, 1), client })
  }
  return {
    ...client,
    [method]: async (...call: Parameters<PlaneClient['updateSubresource']>) => {
      await before()
      return (client[method] as PlaneClient['updateSubresource'])(...call)
    },
  }
}

it.each(['create', 'updateSubresource'] as const)(
  'renews a registration that another process has written before %s',
  async (method) => {
    const id = method.toLowerCase()
    await renewRegistration({ ...renewal(id, 2), client: overtaken(method, id) })
    const found = await client.get(RUNTIMES, { namespace: '', name: id })
    expect(found['status']).toMatchObject({ sandboxes: 2 })
  },
)
