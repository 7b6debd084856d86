import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import { chown, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { errorMessage } from '../../../src/lib/error-message.ts'
import { describeTree } from './describe-tree.ts'
import { type DriverRig, SNAPSHOT_UID, startDriverRig, WORKLOAD_USER } from './driver-rig.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

const INSTALL_TIMEOUT_MS = 300_000
const Bucket = 'snapshots'

let server: S3Server | { readonly unavailable: string }
beforeAll(async () => {
  server = await startS3Server()
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  if (!('unavailable' in server)) await server[Symbol.asyncDispose]()
})

let s3: S3Server
beforeEach(({ skip }) => {
  if ('unavailable' in server) return skip(server.unavailable)
  s3 = server
})

const backend = () => ({ parameters: s3.parameters, secrets: s3.secrets })

async function writeOwned(rig: DriverRig, name: string, content: Buffer | string): Promise<void> {
  const file = path.join(rig.workspace, name)
  await writeFile(file, content)
  if (WORKLOAD_USER) await chown(file, WORKLOAD_USER.uid, WORKLOAD_USER.gid)
}

async function keys(): Promise<string[]> {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket }))
  return Contents.map(({ Key = '' }) => Key).toSorted()
}

async function uploads(): Promise<number> {
  const { Uploads = [] } = await s3.client.send(new ListMultipartUploadsCommand({ Bucket }))
  return Uploads.length
}

test('restores a snapshot that was uploaded to S3 in parts, and deletes it', async () => {
  await using rig = await startDriverRig()
  await writeOwned(rig, 'big', randomBytes(40_000_000))
  const before = await describeTree(rig.workspace)
  const { digest } = await rig.checkpoint(backend())
  const prefix = `some/prefix/inst/root/team/uid-1/${SNAPSHOT_UID}`
  expect(await keys()).toEqual([`${prefix}/files.tar.zst`, `${prefix}/manifest.json`])
  expect(await rig.get(backend())).toMatchObject({
    complete: true,
    digest,
    compatibility: { architecture: process.arch },
  })
  await writeOwned(rig, 'big', 'changed')
  await rig.restore({ ...backend(), digest })
  expect(await describeTree(rig.workspace)).toEqual(before)
  await rig.remove({ ...backend() })
  await rig.remove({ ...backend() })
  expect(await keys()).toEqual([])
  expect(await rig.get(backend())).toBeNull()
})

test('rejects a corrupted byte in S3 and changes nothing', async () => {
  await using rig = await startDriverRig()
  await writeOwned(rig, 'file', randomBytes(10_000))
  const { digest } = await rig.checkpoint(backend())
  const before = await describeTree(rig.directory)
  for (const Key of await keys()) {
    const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }))
    const content = Buffer.from((await Body?.transformToByteArray()) ?? [])
    const changed = Buffer.from(content)
    changed.writeUInt8(changed.readUInt8(100) ^ 1, 100)
    await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: changed }))
    await expect(rig.restore({ ...backend(), digest })).rejects.toMatchObject({ code: 'DATA_LOSS' })
    expect(await describeTree(rig.directory)).toEqual(before)
    await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: content }))
  }
  await rig.restore({ ...backend(), digest })
  await rig.remove(backend())
})

test('aborts the upload after a cancel', async () => {
  await using rig = await startDriverRig()
  await writeOwned(rig, 'big', randomBytes(60_000_000))
  const cancel = new AbortController()
  const outcome = rig.checkpoint({ ...backend(), leaveRunning: false, signal: cancel.signal }).then(
    () => 'captured',
    (error: unknown) => errorMessage(error),
  )
  while ((await uploads()) === 0) await new Promise((resolve) => setImmediate(resolve))
  cancel.abort(new Error('cancelled by the test'))
  expect(await outcome).toBe('cancelled by the test')
  expect(await keys()).toEqual([])
  expect(await uploads()).toBe(0)
  expect(await rig.processState()).not.toBe('T')
})

test('lists and deletes uploads that a killed process left', async () => {
  await using rig = await startDriverRig()
  const Key = 'some/prefix/inst/root/team/uid-1/snap-killed/files.tar.zst'
  await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  expect(await rig.list(backend())).toMatchObject([{ snapshotUid: 'snap-killed', complete: false }])
  await rig.remove({ ...backend(), snapshotUid: 'snap-killed' })
  expect(await uploads()).toBe(0)
})

test('reports a missing bucket, missing credentials and an unreachable server', async () => {
  await using rig = await startDriverRig()
  const { parameters, secrets } = backend()
  const noBucket = { parameters: { ...parameters, bucket: 'missing' }, secrets }
  await expect(rig.checkpoint(noBucket)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' })
  await expect(rig.checkpoint({ parameters })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  const unreachable = { parameters: { ...parameters, endpoint: 'http://127.0.0.1:1' }, secrets }
  await expect(rig.checkpoint(unreachable)).rejects.toMatchObject({ code: 'INTERNAL' })
  expect(await rig.processState()).not.toBe('T')
})
