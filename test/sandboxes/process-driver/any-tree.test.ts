import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { chmod, link, lutimes, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ANY_CHARACTER } from '../../support/any-character.ts'
import { proofSize } from '../../support/proof-size.ts'
import { describeTree } from './describe-tree.ts'
import { type DriverRig, startDriverRig, WORKLOAD_USER } from './driver-rig.ts'

const NAME = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: ANY_CHARACTER }),
    fc.constantFrom('a', 'b', ' ', '-rf', '--checkpoint-action=exec=sh', '\n', "'", '*', '\\', 'ü'),
  )
  .filter(
    (name) =>
      !/[/\0]/.test(name) && name !== '.' && name !== '..' && Buffer.from(name).toString() === name,
  )

const ENTRY = fc.record({
  kind: fc.constantFrom('file', 'folder', 'link', 'hard link'),
  name: NAME,
  /** Which of the existing folders contains it. */
  parent: fc.nat(),
  content: fc.uint8Array({ maxLength: 3000 }),
  target: fc.oneof(NAME, fc.constantFrom('/etc/passwd', '../../..', '.', '../workspace', 'a/../b')),
  mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o000, 0o1777, 0o7777),
  seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
})

type Entry = typeof ENTRY extends fc.Arbitrary<infer T> ? T : never

/** Creates entries in the workspace; names that exist already are skipped. */
async function build(workspace: string, entries: readonly Entry[]): Promise<void> {
  const folders = [workspace]
  const files: string[] = []
  const modes = new Map<string, number>()
  for (const { kind, name, parent, content, target, mode } of entries) {
    const at = path.join(folders[parent % folders.length] ?? workspace, name)
    try {
      if (kind === 'file') {
        await writeFile(at, content, { flag: 'wx' })
        files.push(at)
        modes.set(at, mode)
      } else if (kind === 'folder') {
        await mkdir(at)
        folders.push(at)
        modes.set(at, mode)
      } else if (kind === 'link') await symlink(target, at)
      else if (files.length > 0) await link(files[parent % files.length] ?? '', at)
    } catch (error) {
      if (!(error instanceof Error && /EEXIST|ENAMETOOLONG/.test(error.message))) throw error
    }
  }
  if (WORKLOAD_USER) {
    const { uid, gid } = WORKLOAD_USER
    execFileSync('chown', ['-hR', `${uid}:${gid}`, workspace])
  }
  // Without root, a capture needs to read everything. Bits of setuid are dropped by design.
  const needed = WORKLOAD_USER ? 0 : 0o700
  for (const [at, mode] of modes) await chmod(at, (mode | needed) & 0o1777)
  const times = entries.map(({ seconds }) => seconds)
  for (const [index, at] of [...modes.keys()].toReversed().entries()) {
    await lutimes(at, times[index] ?? 0, times[index] ?? 0)
  }
}

async function empty({ directory, workspace }: DriverRig): Promise<void> {
  execFileSync('chmod', ['-R', 'u+rwx', directory])
  await rm(workspace, { recursive: true })
  await mkdir(workspace)
}

test('every tree survives a checkpoint and a restore', async () => {
  await using rig = await startDriverRig({ freezes: true })
  // The workload cannot read files of mode 000, and this machine may be unable to freeze it.
  const root = { ...rig.instance, canFreeze: true, freeze: async () => {}, thaw: async () => {} }
  await fc.assert(
    fc.asyncProperty(fc.array(ENTRY, { maxLength: 25 }), async (entries) => {
      await empty(rig)
      await build(rig.workspace, entries)
      const before = await describeTree(rig.workspace)
      await rig.checkpoint({ instance: root })
      await empty(rig)
      await rig.restore()
      expect(await describeTree(rig.workspace)).toEqual(before)
    }),
    // Shrinking would take longer than the test may. The seed repeats a failure.
    { numRuns: proofSize(25), endOnFailure: true },
  )
})
