import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SandboxKeySchema } from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { filesOf } from './reference/reference-state.ts'
import { type ReferenceServer, startReferenceServer } from './reference/start-reference-server.ts'

const sandbox = create(SandboxKeySchema, { plane: 'root', namespace: 'ns', name: 'a', uid: 'u1' })

let server: ReferenceServer
let client: RuntimeConnection
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-reference-'))
  server = await startReferenceServer({ listen: `unix:${directory}/driver.sock`, directory })
  client = connectRuntime(server.endpoint)
})
afterEach(async () => {
  client[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const start = () =>
  client.runtime.start({ sandbox, instanceId: 'i1', operationId: 'op-start', fence: 1n })
const checkpoint = (options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }) =>
  client.driver.checkpoint(
    { sandbox, podName: 'i1', snapshotUid: 's1', operationId: 'op-checkpoint', fence: 1n },
    options,
  )
const phase = () => server.state.instances.get('i1')?.instance.state

describe('faults of the reference server', () => {
  it('repeats a call whose answer was lost without a second effect', async () => {
    await start()
    server.faults.inject({
      call: 'checkpoint',
      point: 'before-answer',
      action: { type: 'lose-answer' },
    })
    await expect(checkpoint()).rejects.toMatchObject({ code: 'UNAVAILABLE' })

    expect((await checkpoint()).snapshotUid).toBe('s1')
    expect(server.state.effects.filter(({ call }) => call === 'checkpoint')).toHaveLength(1)
  })

  it('answers after a restart from the stored result', async () => {
    server.faults.inject({ call: 'start', point: 'before-answer', action: { type: 'crash' } })
    await expect(start()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(start()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await server.restart()

    expect((await start()).instance?.instanceId).toBe('i1')
    expect(server.state.effects).toHaveLength(1)
  })

  it('keeps the frozen workload and partial output of a checkpoint that crashed', async () => {
    await start()
    server.faults.inject({
      call: 'checkpoint',
      point: 'during-effect',
      action: { type: 'crash' },
    })
    await expect(checkpoint()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([phase(), server.state.snapshots.get('s1')?.info.complete]).toEqual(['Frozen', false])

    await server.restart()
    await checkpoint()
    expect([phase(), server.state.snapshots.get('s1')?.info.complete]).toEqual(['Frozen', true])
  })

  it('thaws and removes partial output when a checkpoint is cancelled', async () => {
    await start()
    const abort = new AbortController()
    const hang = { type: 'hang' } as const
    server.faults.inject({ call: 'checkpoint', point: 'during-effect', action: hang })
    const cancelled = checkpoint({ signal: abort.signal })
    while (phase() !== 'Frozen') await sleep(5)
    abort.abort()

    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    while (phase() !== 'Running') await sleep(5)
    expect(server.state.snapshots.size).toBe(0)
  })

  it('ends a call that hangs at its deadline', async () => {
    await start()
    const hang = { type: 'hang' } as const
    server.faults.inject({ call: 'checkpoint', point: 'during-effect', action: hang })

    await expect(checkpoint({ timeoutMs: 100 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    })
    while (phase() !== 'Running') await sleep(5)
  })

  it('fails with the injected code, as often as requested', async () => {
    await start()
    const fail = { type: 'fail', code: 'RESOURCE_EXHAUSTED', reason: 'StoreFull' } as const
    server.faults.inject({ call: 'checkpoint', point: 'during-effect', action: fail, times: 2 })
    const error = { code: 'RESOURCE_EXHAUSTED', reason: 'StoreFull' }
    await expect(checkpoint()).rejects.toMatchObject(error)
    await expect(checkpoint()).rejects.toMatchObject(error)
    expect(phase()).toBe('Running')

    expect((await checkpoint()).snapshotUid).toBe('s1')
  })

  it('reports a corrupt snapshot', async () => {
    await start()
    filesOf(server.state, sandbox).set('/counter', '1')
    await checkpoint()
    const stored = server.state.snapshots.get('s1')
    if (stored === undefined) throw new Error('no snapshot')
    server.state.snapshots.set('s1', { ...stored, files: new Map([['/counter', '2']]) })

    const error = { code: 'DATA_LOSS', reason: 'SnapshotCorrupt' }
    await expect(client.driver.getSnapshot({ snapshotUid: 's1' })).rejects.toMatchObject(error)
  })
})
