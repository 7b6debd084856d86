import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeTree } from './describe-tree.ts'
import { type DriverRig, startDriverRig, WORKLOAD_USER } from './driver-rig.ts'

/** Whether this machine allows file systems of a few megabytes to be mounted. */
const CAN_MOUNT = canMount()

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], {
      stdio: 'ignore',
    })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

function mountSmall(directory: string, size = '1m'): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', directory])
  onTestFinished(() => void execFileSync('umount', [directory]))
}

async function writeBig(rig: DriverRig, bytes: number): Promise<void> {
  const file = path.join(rig.workspace, 'big')
  await writeFile(file, randomBytes(bytes))
  if (WORKLOAD_USER) await chown(file, WORKLOAD_USER.uid, WORKLOAD_USER.gid)
}

test.runIf(CAN_MOUNT)(
  'lets the workload continue and leaves nothing if the store is full',
  async () => {
    const rig = await startDriverRig()
    onTestFinished(() => rig[Symbol.asyncDispose]())
    await mkdir(rig.storeRoot, { mode: 0o700 })
    mountSmall(rig.storeRoot)
    await writeBig(rig, 3_000_000)
    await expect(rig.checkpoint({ leaveRunning: false })).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      reason: 'StoreFull',
      message: expect.stringContaining('free space or choose another store'),
    })
    expect(await rig.processState()).not.toBe('T')
    expect(await readdir(rig.storeRoot)).toEqual([])
    await writeBig(rig, 10_000)
    await rig.checkpoint()
  },
)

test.runIf(CAN_MOUNT)('changes nothing if the disk is full during a restore', async () => {
  const rig = await startDriverRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  mountSmall(rig.directory, '4m')
  for (const folder of [rig.workspace, path.join(rig.directory, 'volumes/data')]) {
    await mkdir(folder, { recursive: true })
    if (WORKLOAD_USER) await chown(folder, WORKLOAD_USER.uid, WORKLOAD_USER.gid)
  }
  await writeBig(rig, 3_000_000)
  await rig.checkpoint()
  const before = await describeTree(rig.directory)
  await expect(rig.restore()).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
  expect(await describeTree(rig.directory)).toEqual(before)
})
