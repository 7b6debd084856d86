import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { errorMessage } from '../../../src/lib/error-message.ts'
import { describeTree } from './describe-tree.ts'
import { type DriverRig, SNAPSHOT_UID, startDriverRig, WORKLOAD_USER } from './driver-rig.ts'

async function startRig(...options: Parameters<typeof startDriverRig>): Promise<DriverRig> {
  const rig = await startDriverRig(...options)
  onTestFinished(() => rig[Symbol.asyncDispose]())
  return rig
}

/** Gives everything in the sandbox to the workload's user. */
function giveToWorkload({ directory }: DriverRig): void {
  if (!WORKLOAD_USER) return
  const owner = `${WORKLOAD_USER.uid}:${WORKLOAD_USER.gid}`
  for (const folder of ['workspace', 'volumes/data']) {
    execFileSync('chown', ['-hR', owner, path.join(directory, folder)])
  }
}

const code = (expected: string, message: RegExp | string) =>
  expect.objectContaining({
    code: expected,
    message:
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
  })

async function flipByte(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ 1
  await handle.write(byte, 0, 1, at)
  await handle.close()
}

test('restores modes, times, links, sparse files and names of any bytes in five cycles', async () => {
  const rig = await startRig()
  const { workspace } = rig
  await mkdir(path.join(workspace, 'folder/empty'), { recursive: true })
  await writeFile(path.join(workspace, 'folder/file'), randomBytes(300_000))
  await link(path.join(workspace, 'folder/file'), path.join(workspace, 'hard'))
  await symlink('folder/file', path.join(workspace, 'soft'))
  await symlink('/usr/bin/python3', path.join(workspace, 'python'))
  await writeFile(path.join(workspace, 'secret'), 'x', { mode: 0o400 })
  await writeFile(
    Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0x0a, 0x27])]),
    'bytes',
  )
  await writeFile(path.join(workspace, 'n'.repeat(255)), 'long')
  await writeFile(path.join(rig.directory, 'volumes/data/table'), 'rows')
  const sparse = await open(path.join(workspace, 'sparse'), 'w')
  await sparse.truncate(16 * 1024 * 1024)
  await sparse.write('end', 12_000_000)
  await sparse.close()
  giveToWorkload(rig)
  await chmod(path.join(workspace, 'folder/empty'), 0o555)

  for (let cycle = 1; cycle <= 5; cycle += 1) {
    await writeFile(path.join(workspace, 'counter'), `${cycle}`)
    giveToWorkload(rig)
    const before = await describeTree(rig.directory)
    const { digest } = await rig.checkpoint()
    await chmod(path.join(workspace, 'folder/empty'), 0o755)
    await rm(workspace, { recursive: true })
    await writeFile(path.join(rig.directory, 'volumes/data/table'), 'other rows')
    expect(await rig.restore({ digest })).toEqual({
      'flotilla.dev/boot': 'RESUME_FS',
      'env.SANDBOX_RESTORED': '1',
    })
    const { volumes: _volumes, ...after } = await describeTree(rig.directory)
    const { volumes: _volumesBefore, ...expected } = before
    expect(after).toEqual(expected)
  }
  const { blocks } = await stat(path.join(workspace, 'sparse'))
  expect(blocks * 512).toBeLessThan(1024 * 1024)
  const owner = await stat(path.join(workspace, 'folder/file'))
  expect(owner.uid).toBe(WORKLOAD_USER?.uid ?? process.getuid?.())
})

test('stops the workload during a capture and afterwards as requested', async () => {
  const rig = await startRig()
  await rig.checkpoint({ leaveRunning: true })
  expect(await rig.processState()).not.toBe('T')
  await rig.checkpoint({ leaveRunning: false })
  expect(await rig.processState()).toBe('T')
})

test('reports that it cannot freeze if the runtime cannot', async () => {
  const rig = await startRig()
  const info = await rig.driver.info()
  expect(info).toMatchObject({ captures: ['filesystem'], freezes: false, lists: true })
  expect(info.stores).toEqual(['local', 's3'])
})

test('keeps artefacts private and writes the manifest last', async () => {
  const rig = await startRig()
  await writeFile(path.join(rig.workspace, 'file'), 'x')
  giveToWorkload(rig)
  const { digest, sizeBytes } = await rig.checkpoint()
  expect((await stat(rig.storeRoot)).mode & 0o777).toBe(0o700)
  const names = await readdir(rig.artefacts())
  expect(names.toSorted()).toEqual(['files.tar.zst', 'manifest.json'])
  let total = 0
  for (const name of names) {
    const file = await stat(path.join(rig.artefacts(), name))
    expect(file.mode & 0o777).toBe(0o600)
    total += file.size
  }
  expect(Number(sizeBytes)).toBe(total)
  expect(await rig.get()).toMatchObject({ complete: true, digest, sizeBytes })
})

test.each(['files.tar.zst', 'manifest.json'])(
  'rejects a snapshot with one corrupted byte in %s and changes nothing',
  async (name) => {
    const rig = await startRig()
    await writeFile(path.join(rig.workspace, 'file'), randomBytes(5000))
    giveToWorkload(rig)
    const { digest } = await rig.checkpoint()
    await writeFile(path.join(rig.workspace, 'file'), 'newer')
    const before = await describeTree(rig.directory)
    const file = path.join(rig.artefacts(), name)
    const { size } = await stat(file)
    const positions = [0, Math.floor(size / 3), Math.floor(size / 2), size - 1]
    for (const at of positions) {
      await flipByte(file, at)
      await expect(rig.restore({ digest })).rejects.toMatchObject({
        code: 'DATA_LOSS',
        reason: 'SnapshotCorrupt',
      })
      expect(await describeTree(rig.directory)).toEqual(before)
      await flipByte(file, at)
    }
    await rig.restore({ digest })
    expect(await describeTree(rig.directory)).not.toEqual(before)
  },
)

test('rejects a truncated, a missing and a foreign archive', async () => {
  const rig = await startRig()
  const { digest } = await rig.checkpoint()
  const file = path.join(rig.artefacts(), 'files.tar.zst')
  const content = await readFile(file)
  await writeFile(file, content.subarray(0, -1))
  await expect(rig.restore({ digest })).rejects.toMatchObject({ code: 'DATA_LOSS' })
  await expect(rig.get()).rejects.toMatchObject({ code: 'DATA_LOSS' })
  await rm(file)
  await expect(rig.restore({ digest })).rejects.toMatchObject({ code: 'DATA_LOSS' })
  await writeFile(file, content)
  const other = await rig.checkpoint({ snapshotUid: 'snap-2' })
  await expect(rig.restore({ digest: other.digest })).rejects.toMatchObject({ code: 'DATA_LOSS' })
  await expect(rig.restore({ snapshotUid: 'snap-3' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('refuses another workload, another architecture and a machine without zstd', async () => {
  const rig = await startRig()
  await rig.checkpoint()
  const incompatible = { code: 'FAILED_PRECONDITION', reason: 'Incompatible' }
  await expect(rig.restore({ workloadDigest: 'workload-2' })).rejects.toMatchObject(incompatible)
  const elsewhere = await rig.withOptions({ architecture: 'pdp11' })
  await expect(rig.restore({ driver: elsewhere })).rejects.toMatchObject(incompatible)
  const withoutZstd = await rig.withOptions({ tools: { unavailable: '', zstd: false } })
  await expect(rig.restore({ driver: withoutZstd })).rejects.toEqual(
    code('FAILED_PRECONDITION', 'needs the program zstd'),
  )
  await rig.checkpoint({ driver: withoutZstd })
  expect(await readdir(rig.artefacts())).toContain('files.tar')
  await rig.restore({ driver: withoutZstd })
})

test('skips sockets, fifos and bits of setuid', async () => {
  const rig = await startRig()
  execFileSync('mkfifo', [path.join(rig.workspace, 'fifo')])
  await writeFile(path.join(rig.workspace, 'tool'), 'x')
  giveToWorkload(rig)
  await chmod(path.join(rig.workspace, 'tool'), 0o6755)
  await rig.checkpoint()
  await rig.restore()
  expect(await readdir(rig.workspace)).toEqual(['tool'])
  expect((await stat(path.join(rig.workspace, 'tool'))).mode & 0o7777).toBe(0o755)
  const manifest: unknown = JSON.parse(
    await readFile(path.join(rig.artefacts(), 'manifest.json'), 'utf8'),
  )
  expect(manifest).toMatchObject({ skipped: { special: 1, foreign: 0 } })
})

test.runIf(WORKLOAD_USER)('does not capture files of other users that were linked in', async () => {
  const rig = await startRig()
  await writeFile(path.join(rig.directory, 'private'), 'of root', { mode: 0o600 })
  await link(path.join(rig.directory, 'private'), path.join(rig.workspace, 'stolen'))
  await mkdir(path.join(rig.workspace, 'folder'))
  await writeFile(path.join(rig.workspace, 'folder/own'), 'x')
  await chown(path.join(rig.workspace, 'folder/own'), 65_534, 65_534)
  await rig.checkpoint()
  await rm(path.join(rig.workspace, 'stolen'))
  await rig.restore()
  expect(await readdir(rig.workspace)).toEqual([])
})

test('removes partial output and lets the workload continue after a cancel', async () => {
  const rig = await startRig()
  await writeFile(path.join(rig.workspace, 'big'), randomBytes(20_000_000))
  giveToWorkload(rig)
  const cancel = new AbortController()
  const capture = rig.checkpoint({ leaveRunning: false, signal: cancel.signal })
  const outcome = capture.then(
    () => 'captured',
    (error: unknown) => errorMessage(error),
  )
  while ((await list(rig.storeRoot)).length === 0)
    await new Promise((resolve) => setImmediate(resolve))
  cancel.abort(new Error('cancelled by the test'))
  expect(await outcome).toBe('cancelled by the test')
  expect(await list(rig.storeRoot)).toEqual([])
  expect(await rig.processState()).not.toBe('T')
})

test('cancels a restore without a change', async () => {
  const rig = await startRig()
  await rig.checkpoint()
  await writeFile(path.join(rig.workspace, 'file'), 'newer')
  const before = await describeTree(rig.directory)
  const aborted = AbortSignal.abort(new Error('cancelled by the test'))
  await expect(rig.restore({ signal: aborted })).rejects.toThrow('cancelled by the test')
  expect(await describeTree(rig.directory)).toEqual(before)
})

test('deletes repeatedly and lists incomplete snapshots', async () => {
  const rig = await startRig()
  await rig.checkpoint()
  await rig.checkpoint({ snapshotUid: 'snap-2' })
  await rm(path.join(rig.artefacts('snap-2'), 'manifest.json'))
  const listed = (await rig.list()).map(({ snapshotUid, complete, sandbox }) => ({
    snapshotUid,
    complete,
    installation: sandbox?.installation,
  }))
  expect(listed).toContainEqual({ snapshotUid: SNAPSHOT_UID, complete: true, installation: 'inst' })
  expect(listed).toContainEqual({ snapshotUid: 'snap-2', complete: false, installation: 'inst' })
  for (const uid of [SNAPSHOT_UID, 'snap-2', 'snap-2', 'never'])
    await rig.remove({ snapshotUid: uid })
  expect(await rig.list()).toEqual([])
  expect(await list(rig.storeRoot)).toEqual([])
  expect(await rig.get()).toBeNull()
})

async function list(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true }).catch(() => [])
}
