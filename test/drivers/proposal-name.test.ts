import { mkdtemp, rm } from 'node:fs/promises'
import http2 from 'node:http2'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createClient } from '@connectrpc/connect'
import {
  connectNodeAdapter,
  createGrpcTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runConformance } from './conformance/run-conformance.ts'
import { SandboxRuntime } from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { connectRuntime } from '../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { PROPOSAL_SNAPSHOT_DRIVER } from '../../src/sandboxes/drivers/protocol/proposal-service.ts'
import { startReferenceServer } from './reference/start-reference-server.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-proposal-'))
})
afterEach(() => rm(directory, { recursive: true }))

const socket = (name: string) => `${directory}/${name}.sock`

it('serves drivers under the name of the proposal', async () => {
  await using server = await startReferenceServer({
    listen: `unix:${socket('reference')}`,
    directory,
  })
  expect(server.endpoint).toContain('reference')
  const baseUrl = 'http://localhost'
  const createConnection = () => net.connect(socket('reference'))
  const sessionManager = new Http2SessionManager(baseUrl, {}, { createConnection })
  const client = createClient(
    PROPOSAL_SNAPSHOT_DRIVER,
    createGrpcTransport({ baseUrl, sessionManager }),
  )
  const { drivers } = await client.getInfo({})
  expect(drivers.map(({ name }) => name)).toEqual(['reference'])
  sessionManager.abort()
})

it('calls drivers that only know the name of the proposal, and checks their rules', async () => {
  await using reference = await startReferenceServer({
    listen: `unix:${socket('reference')}`,
    directory,
  })
  using connection = connectRuntime(reference.endpoint)
  const { driver, runtime } = connection
  const adapter = connectNodeAdapter({
    routes: (router) => {
      router.service(PROPOSAL_SNAPSHOT_DRIVER, {
        checkpoint: (request) => driver.checkpoint(request),
        restore: (request) => driver.restore(request),
        delete: (request) => driver.delete(request),
      })
      router.service(SandboxRuntime, {
        start: (request) => runtime.start(request),
        freeze: (request) => runtime.freeze(request),
        thaw: (request) => runtime.thaw(request),
        terminate: (request) => runtime.terminate(request),
        remove: (request) => runtime.remove(request),
        getInstance: (request) => runtime.getInstance(request),
        exec: (request) => runtime.exec(request),
        getRuntimeInfo: () => runtime.getRuntimeInfo({}),
      })
    },
  })
  const server = http2.createServer(adapter)
  await new Promise<void>((resolve) => server.listen(socket('proposal'), resolve))
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session))
  try {
    const endpoint = `unix:${socket('proposal')}`
    const name = 'Restore returns the files of the checkpoint'
    const results = await runConformance({ endpoint, parameters: { store: 'local' } }, [name])
    expect(results).toEqual([{ name, outcome: 'passed', detail: '' }])
  } finally {
    for (const session of sessions) session.destroy()
    server.close()
  }
})
