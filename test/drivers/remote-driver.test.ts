import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CheckpointRequest,
  CheckpointRequestSchema,
  type RestoreRequest,
  RestoreRequestSchema,
  SandboxKeySchema,
} from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import {
  type DriverServer,
  serveDrivers,
} from '../../src/sandboxes/drivers/protocol/serve-drivers.ts'
import {
  createRemoteDriver,
  type RemoteDriver,
} from '../../src/sandboxes/drivers/remote/remote-driver.ts'
import type { HostedInstance } from '../../src/sandboxes/drivers/runtime/hosted-drivers.ts'

type Services = Parameters<typeof serveDrivers>[0]['driver']

let directory: string
let server: DriverServer | null
let driver: RemoteDriver
const events: string[] = []

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-remote-'))
  await mkdir(path.join(directory, 'volumes/data'), { recursive: true })
  server = null
  events.length = 0
  driver = createRemoteDriver({ name: 'mine', endpoint: socket(), machine: 'here' })
})
afterEach(async () => {
  driver[Symbol.dispose]()
  await server?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const socket = () => `unix:${directory}/driver.sock`
const signal = new AbortController().signal
async function serve(services: NonNullable<Services>): Promise<void> {
  server = await serveDrivers({ listen: socket(), driver: services })
}

function instance(isFrozen = false): HostedInstance {
  return {
    key: create(SandboxKeySchema, { name: 'a', uid: 'u1' }),
    id: 'i1',
    isolationClass: 'process',
    hasNetwork: false,
    rootImage: '',
    imageUser: null,
    pid: 42,
    directory,
    workspace: path.join(directory, 'workspace'),
    volumesDirectory: path.join(directory, 'volumes'),
    user: null,
    volumes: async () => [{ name: 'data', path: path.join(directory, 'volumes/data') }],
    cgroup: null,
    runDirectory: directory,
    outputFile: path.join(directory, 'output.log'),
    canFreeze: true,
    confine: () => [],
    isFrozen: async () => isFrozen,
    freeze: async () => {
      events.push('freeze')
    },
    thaw: async () => {
      events.push('thaw')
    },
  }
}

const request = (leaveRunning = false) =>
  create(CheckpointRequestSchema, {
    operationId: 'op-1',
    snapshotUid: 's1',
    parameters: { store: 'local' },
    leaveRunning,
  })

describe('drivers of other programs', () => {
  it('receive the directories of a frozen workload', async () => {
    const seen: CheckpointRequest[] = []
    await serve({
      checkpoint: (received) => {
        events.push('checkpoint')
        seen.push(received)
        return { snapshotUid: 'chosen-by-the-driver' }
      },
    })
    const answer = await driver.checkpoint(request(), instance(), signal)

    expect(events).toEqual(['freeze', 'checkpoint'])
    expect(seen[0]?.parameters).toEqual({
      store: 'local',
      'flotilla.dev/workspace': path.join(directory, 'workspace'),
      'flotilla.dev/volumes': JSON.stringify({ data: path.join(directory, 'volumes/data') }),
      'flotilla.dev/pid': '42',
      'flotilla.dev/operation-id': 'op-1',
    })
    expect(answer).toMatchObject({
      snapshotUid: 'chosen-by-the-driver',
      captured: ['filesystem'],
      compatibility: { machine: 'here' },
    })
  })

  it('the workload continues after a live snapshot and after a failure', async () => {
    let fails = false
    await serve({
      checkpoint: () => {
        if (fails) throw new SandboxDriverError('RESOURCE_EXHAUSTED', 'full')
        return {}
      },
    })
    await driver.checkpoint(request(true), instance(), signal)
    expect(events).toEqual(['freeze', 'thaw'])

    fails = true
    const failed = driver.checkpoint(request(), instance(), signal)
    await expect(failed).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    expect(events).toEqual(['freeze', 'thaw', 'freeze', 'thaw'])
  })

  it('a live snapshot of a frozen workload leaves it frozen', async () => {
    await serve({ checkpoint: () => ({}) })
    await driver.checkpoint(request(true), instance(true), signal)
    expect(events).toEqual([])
  })

  it('cancellation reaches the driver, and the workload continues', async () => {
    const abort = new AbortController()
    await serve({
      checkpoint: async (_request, context) => {
        abort.abort()
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
        events.push('cancelled')
        return {}
      },
    })
    const call = driver.checkpoint(request(), instance(), abort.signal)

    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => [...events].sort()).toEqual(['cancelled', 'freeze', 'thaw'])
  })

  it('the metadata of a restore reaches the runtime', async () => {
    await serve({ restore: () => ({ restoreMetadata: { 'env.A': '1' } }) })
    const restore = create(RestoreRequestSchema, { snapshotUid: 's1' })
    const { restoreMetadata } = await driver.restore(restore, instance(), signal)

    expect(restoreMetadata).toEqual({ 'env.A': '1' })
  })

  it('the metadata of a checkpoint is returned for a restore', async () => {
    const requests: RestoreRequest[] = []
    await serve({
      restore: (request) => {
        requests.push(request)
        return {}
      },
    })
    const driverMetadata = { 'image/layer': 'a=b, "c"', store: 'ignored' }
    const parameters = { store: 'local' }
    const restore = create(RestoreRequestSchema, { snapshotUid: 's1', driverMetadata, parameters })
    await driver.restore(restore, instance(), signal)

    expect(requests[0]?.driverMetadata).toEqual(driverMetadata)
    expect(requests[0]?.parameters).toMatchObject({ 'image/layer': 'a=b, "c"', store: 'local' })
  })

  it('without GetInfo, a driver captures files and has no list', async () => {
    await serve({ delete: () => ({}) })

    expect(await driver.info()).toMatchObject({
      name: 'mine',
      captures: ['filesystem'],
      freezes: true,
      lists: false,
      unavailableReason: '',
    })
  })

  it.each([
    ['is not running', null, 'ENOENT'],
    ['implements nothing', {}, 'implements no call of SnapshotDriver'],
    ['hangs', { getInfo: () => new Promise<never>(() => {}) }, 'timed out'],
    ['has another name', { getInfo: () => ({ drivers: [{ name: 'other' }] }) }, 'only: other'],
  ])('a driver that %s is unavailable', async (_case, services, reason) => {
    if (services !== null) await serve(services)

    expect((await driver.info()).unavailableReason).toContain(reason)
  })
})
