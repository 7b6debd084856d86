import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { type Program, startProgram } from '../../process/program.ts'

const FLEETS = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
const FLEET = { namespace: '', name: 'restarted' }
const SAMPLE_MS = 20
const TIMEOUT_MS = 60_000
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
const LEASE = { namespace: 'kube-system', name: 'flotilla-controllers' }

/**
 * Kills the only server, with its embedded PostgreSQL, in the middle of a change, and starts it
 * again. The new server leads before the lease of the killed one ends, and the fleet converges.
 */
export async function restartOnlyServer(rounds: number, print: (line: string) => void) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-restart-'))
  const start = (): Program => startProgram({ DATA_DIR: dataDir })
  let server = start()
  try {
    let client = clientOf((await server.ready()).port)
    await create(client)
    await untilReady(client, 1)
    for (let round = 1; round <= rounds; round += 1) {
      const replicas = 1 + round * 20
      const killed = await readLease(client)
      await client.patch(FLEETS, FLEET, { type: 'merge', body: { spec: { replicas } } })
      server.kill('SIGKILL')
      await server.exited
      const restartedAt = performance.now()
      server = start()
      client = clientOf((await server.ready()).port)
      const readyAt = performance.now()
      await untilReady(client, replicas)
      const startMs = Math.round(readyAt - restartedAt)
      const convergeMs = Math.round(performance.now() - readyAt)
      print(`  round ${round}: started in ${startMs} ms, converged ${convergeMs} ms later`)
      requireTakeover(killed, await readLease(client))
    }
  } finally {
    await server[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Lease {
  readonly holder: string
  readonly acquired: number
  /** When others may take over from a holder that does not renew it. */
  readonly ends: number
}

async function readLease(client: PlaneClient): Promise<Lease> {
  const { spec } = await client.get(LEASES, LEASE)
  const { holderIdentity, acquireTime, renewTime, leaseDurationSeconds } = Object(spec)
  return {
    holder: holderIdentity,
    acquired: Date.parse(acquireTime),
    ends: Date.parse(renewTime) + leaseDurationSeconds * 1000,
  }
}

function requireTakeover(killed: Lease, next: Lease): void {
  assert.notEqual(next.holder, killed.holder)
  assert.ok(next.acquired < killed.ends, 'the new server waited for the end of the lease')
}

function clientOf(port: number): PlaneClient {
  const server = `http://127.0.0.1:${port}`
  const onError = (): void => undefined
  return createHttpFleetClient({ server, userAgent: 'drill', planes: [], onError }).plane('root')
}

async function create(client: PlaneClient): Promise<void> {
  await client.create(FLEETS, {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name: FLEET.name },
    spec: { replicas: 1 },
  })
}

async function untilReady(client: PlaneClient, replicas: number): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { metadata, status } = await client.get(FLEETS, FLEET)
    const { observedGeneration, readyReplicas } = Object(status)
    if (observedGeneration === metadata.generation && readyReplicas === replicas) return
    assert.ok(performance.now() < end, `${readyReplicas} of ${replicas} members are ready`)
    await sleep(SAMPLE_MS)
  }
}
