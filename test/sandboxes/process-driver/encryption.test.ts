import { randomBytes } from 'node:crypto'
import { chown, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  CHUNK_BYTES,
  HEADER_BYTES,
  TAG_BYTES,
} from '../../../src/sandboxes/drivers/encryption/archive-format.ts'
import { decryptArchive } from '../../../src/sandboxes/drivers/encryption/decrypt-archive.ts'
import { encryptArchive } from '../../../src/sandboxes/drivers/encryption/encrypt-archive.ts'
import { describeTree } from './describe-tree.ts'
import { startDriverRig, WORKLOAD_USER } from './driver-rig.ts'

const keyOf = (id: string) => ({ id, key: randomBytes(32) })
const master = keyOf('2026')
const owner = {
  installation: 'inst',
  plane: 'root',
  namespace: 'team',
  sandboxUid: 'uid',
  snapshotUid: 'snap',
}

async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const encrypt = (plain: Buffer) => read(encryptArchive(chunked(plain, 70_000), master, owner))
const decrypt = (bytes: Buffer, key = master, of = owner) =>
  read(decryptArchive(chunked(bytes, 99_999), key, of))

test.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])(
  'decrypts %i bytes that it encrypted',
  async (size) => {
    const plain = randomBytes(size)
    const encrypted = await encrypt(plain)
    expect((await decrypt(encrypted)).equals(plain)).toBe(true)
    expect((await encrypt(plain)).equals(encrypted)).toBe(false)
  },
)

test('rejects chunks that were changed, exchanged, repeated, removed or cut off', async () => {
  const encrypted = await encrypt(randomBytes(3 * CHUNK_BYTES + 10))
  const stored = CHUNK_BYTES + TAG_BYTES
  const header = encrypted.subarray(0, HEADER_BYTES)
  const chunk = (index: number) =>
    encrypted.subarray(HEADER_BYTES + index * stored, HEADER_BYTES + (index + 1) * stored)
  const changed = (at: number) => {
    const copy = Buffer.from(encrypted)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return copy
  }
  const damaged = [
    changed(0),
    changed(HEADER_BYTES - 1),
    changed(HEADER_BYTES + 5),
    changed(encrypted.length - 1),
    Buffer.concat([header, chunk(1), chunk(0), chunk(2), chunk(3)]),
    Buffer.concat([header, chunk(0), chunk(0), chunk(2), chunk(3)]),
    Buffer.concat([header, chunk(0), chunk(2), chunk(3)]),
    Buffer.concat([header, chunk(0), chunk(1), chunk(2)]),
    Buffer.concat([encrypted, chunk(0)]),
    encrypted.subarray(0, -1),
    header,
    Buffer.alloc(0),
  ]
  for (const bytes of damaged) {
    await expect(decrypt(bytes)).rejects.toMatchObject({ code: 'DATA_LOSS' })
  }
})

test.each(['installation', 'plane', 'namespace', 'sandboxUid', 'snapshotUid'])(
  'does not decrypt the archive of another %s',
  async (part) => {
    const encrypted = await encrypt(randomBytes(100))
    const other = { ...owner, [part]: 'other' }
    await expect(decrypt(encrypted, master, other)).rejects.toMatchObject({ code: 'DATA_LOSS' })
    await expect(decrypt(encrypted, keyOf('2026'))).rejects.toMatchObject({ code: 'DATA_LOSS' })
  },
)

test('encrypts snapshots if there are keys, and restores them after a rotation', async () => {
  await using rig = await startDriverRig({ encryptionKeys: [master] })
  await writeFile(path.join(rig.workspace, 'file'), 'a secret text'.repeat(100))
  if (WORKLOAD_USER)
    await chown(path.join(rig.workspace, 'file'), WORKLOAD_USER.uid, WORKLOAD_USER.gid)
  const before = await describeTree(rig.workspace)
  await rig.checkpoint()
  const manifest: unknown = JSON.parse(
    await readFile(path.join(rig.artefacts(), 'manifest.json'), 'utf8'),
  )
  expect(manifest).toMatchObject({ archive: { encryptionKey: '2026' } })

  const rotated = await rig.withOptions({ encryptionKeys: [keyOf('2027'), master] })
  await writeFile(path.join(rig.workspace, 'file'), 'changed')
  await rig.restore({ driver: rotated })
  expect(await describeTree(rig.workspace)).toEqual(before)
})

test('names the key that is missing and rejects another key with its id', async () => {
  await using rig = await startDriverRig({ encryptionKeys: [master] })
  await rig.checkpoint()
  await writeFile(path.join(rig.workspace, 'file'), 'newer')
  const before = await describeTree(rig.directory)
  const without = await rig.withOptions({ encryptionKeys: [keyOf('2027')] })
  await expect(rig.restore({ driver: without })).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: expect.stringContaining("the key '2026', which SANDBOX_ENCRYPTION_KEYS does not list"),
  })
  const wrong = await rig.withOptions({ encryptionKeys: [keyOf('2026')] })
  await expect(rig.restore({ driver: wrong })).rejects.toMatchObject({ code: 'DATA_LOSS' })
  expect(await describeTree(rig.directory)).toEqual(before)
})

test('does not encrypt if the backend turns encryption off', async () => {
  await using rig = await startDriverRig({ encryptionKeys: [master] })
  await rig.checkpoint({ parameters: { encryption: 'off' } })
  const without = await rig.withOptions({ encryptionKeys: [] })
  await rig.restore({ driver: without })
})
