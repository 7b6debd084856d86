import { afterAll, beforeAll, describe } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { conformance } from './conformance.ts'
import { planeClient } from './plane-client.ts'
import { CONFIG_MAPS, SITES } from './subjects.ts'

describe('the plane of a cluster, with controllers', () => {
  let server: TestServer
  let prefix: string
  beforeAll(async () => {
    server = await startTestServer({ env: { ROLE: 'all' } })
    const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'plane', spec: {} })
    prefix = `/clusters/${cluster.body.id}/control-plane`
  })
  afterAll(() => server[Symbol.asyncDispose]())

  for (const subject of [CONFIG_MAPS, SITES]) {
    conformance(subject, () => planeClient(server.origin, prefix))
  }
})
