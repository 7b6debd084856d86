import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CheckpointRequest,
  CheckpointRequestSchema,
  CheckpointResponseSchema,
  SnapshotDriver,
} from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { openOperationLedger } from '../../src/sandboxes/drivers/protocol/operation-ledger.ts'

const DAY_MS = 86_400_000
let directory: string
let now: number

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-ledger-'))
  now = Date.UTC(2026, 0, 1)
})
afterEach(() => rm(directory, { recursive: true }))

const open = () => openOperationLedger({ directory, clock: () => new Date(now) })

function request(fields: MessageInitShape<typeof CheckpointRequestSchema> = {}): CheckpointRequest {
  const parameters = { path: '/snapshots', store: 'local' }
  const all = { sandboxName: 'one', operationId: 'op-1', fence: 1n, parameters, ...fields }
  return create(CheckpointRequestSchema, all)
}

function checkpoint(of: CheckpointRequest) {
  return { method: SnapshotDriver.method.checkpoint, operationId: of.operationId, request: of }
}

/** An effect that returns another snapshot each time. */
function counter() {
  let count = 0
  return async () => {
    count += 1
    return create(CheckpointResponseSchema, { snapshotUid: `snapshot-${count}`, sizeBytes: 5n })
  }
}

describe('operation ledger', () => {
  it('returns the stored result of an operation, also after a restart', async () => {
    const effect = counter()
    const first = await (await open()).run(checkpoint(request()), effect)
    const again = await (await open()).run(checkpoint(request()), effect)

    expect(first.snapshotUid).toBe('snapshot-1')
    expect(again).toEqual(first)
  })

  it('ignores secrets, the fence and the order of parameters', async () => {
    const ledger = await open()
    const effect = counter()
    await ledger.run(checkpoint(request({ secrets: { key: 'old' } })), effect)
    const parameters = { store: 'local', path: '/snapshots' }
    const rotated = request({ secrets: { key: 'new' }, fence: 2n, parameters })

    expect((await ledger.run(checkpoint(rotated), effect)).snapshotUid).toBe('snapshot-1')
  })

  it('rejects the ID of an operation with other arguments', async () => {
    const ledger = await open()
    const effect = counter()
    await ledger.run(checkpoint(request()), effect)

    const other = checkpoint(request({ parameters: { path: '/elsewhere' } }))
    await expect(ledger.run(other, effect)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
  })

  it('does not treat a parameter named like an ignored field as ignored', async () => {
    const ledger = await open()
    const effect = counter()
    await ledger.run(checkpoint(request({ parameters: { fence: '1' } })), effect)

    const other = checkpoint(request({ parameters: { fence: '2' } }))
    await expect(ledger.run(other, effect)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
  })

  it('rejects an operation that is running, and returns its result afterwards', async () => {
    const ledger = await open()
    let finish = (): void => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const effect = counter()
    const running = ledger.run(checkpoint(request()), async () => {
      await gate
      return await effect()
    })

    await expect(ledger.run(checkpoint(request()), effect)).rejects.toMatchObject({
      code: 'ABORTED',
    })
    finish()
    await running
    expect((await ledger.run(checkpoint(request()), effect)).snapshotUid).toBe('snapshot-1')
  })

  it('performs an operation again after a failure', async () => {
    const ledger = await open()
    const failing = ledger.run(checkpoint(request()), () => Promise.reject(new Error('disk')))
    await expect(failing).rejects.toThrow('disk')

    expect((await ledger.run(checkpoint(request()), counter())).snapshotUid).toBe('snapshot-1')
  })

  it('performs calls without an operation ID every time', async () => {
    const ledger = await open()
    const effect = counter()
    await ledger.run(checkpoint(request({ operationId: '' })), effect)

    const again = await ledger.run(checkpoint(request({ operationId: '' })), effect)
    expect(again.snapshotUid).toBe('snapshot-2')
  })

  it('removes results after the retention, and partial files', async () => {
    await (await open()).run(checkpoint(request()), counter())
    await writeFile(path.join(directory, 'x.json.partial'), '{')
    now += 6 * DAY_MS
    await open()
    expect(await readdir(directory)).toHaveLength(1)

    now += 2 * DAY_MS
    await open()
    expect(await readdir(directory)).toEqual([])
  })

  it('keeps secrets out of its files, which only the owner can read', async () => {
    await (await open()).run(checkpoint(request({ secrets: { key: 'hidden' } })), counter())

    const [name = ''] = await readdir(directory)
    expect(await readFile(path.join(directory, name), 'utf8')).not.toContain('hidden')
    expect((await stat(path.join(directory, name))).mode & 0o777).toBe(0o600)
  })

  it('reports a damaged result instead of performing the operation again', async () => {
    const ledger = await open()
    await ledger.run(checkpoint(request()), counter())
    const [name = ''] = await readdir(directory)
    await writeFile(path.join(directory, name), '{"operat')

    await expect(ledger.run(checkpoint(request()), counter())).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })
})
