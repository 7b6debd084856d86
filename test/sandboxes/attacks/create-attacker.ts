import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, open, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { expect } from 'vitest'
import { ExecRequestSchema } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { Isolation } from '../../../src/sandboxes/drivers/runtime/instances/shim-command.ts'
import { findPrograms } from '../../../src/sandboxes/drivers/runtime/machine/find-programs.ts'
import {
  instancePaths,
  sandboxPaths,
} from '../../../src/sandboxes/drivers/runtime/sandbox-layout.ts'
import { createBubblewrapWall } from '../../../src/sandboxes/drivers/runtime/walls/bubblewrap/bubblewrap-wall.ts'
import { seccompFilter } from '../../../src/sandboxes/drivers/runtime/walls/seccomp/filter.ts'
import { SYSTEM_PROGRAMS } from '../../../src/sandboxes/drivers/runtime/walls/view/start-programs.ts'
import { systemDirectories } from '../../../src/sandboxes/drivers/runtime/walls/view/system-directories.ts'
import type { Scene } from './attack-scene.ts'
import { type Attack, attackCommand, ENDED } from './attacks.ts'
import { openWall } from './open-wall.ts'
import type { Opening, WallPart } from './openings.ts'

/** Allows all system calls: one instruction of classic BPF. */
const OPEN_FILTER = Buffer.from('060000000000ff7f', 'hex')

/** The files of one attacker, which every user may read. */
async function createFiles(directory: string) {
  const layout = {
    stateDirectory: directory,
    imagesDirectory: directory,
    sandboxesDirectory: path.join(directory, 'sandboxes'),
  }
  const paths = sandboxPaths(layout, 'attacker')
  const instance = instancePaths(paths, 'one')
  for (const each of [paths.workspace, instance.directory]) {
    await mkdir(each, { recursive: true })
    await chmod(each, 0o777)
  }
  await writeFile(instance.environmentFile, '', { mode: 0o644 })
  const filterFile = path.join(directory, 'closed.bpf')
  const openFilter = path.join(directory, 'open.bpf')
  await writeFile(filterFile, seccompFilter(process.arch === 'arm64' ? 'arm64' : 'x64'))
  await writeFile(openFilter, OPEN_FILTER)
  const files = {
    ...instance,
    paths,
    runDirectory: instance.directory,
    joinFiles: [],
    programCopies: null,
  }
  return { files, filterFile, openFilter }
}

/** Whether an attack succeeds if these parts of the wall are open. */
export type Succeeds = (
  attack: Attack,
  opening: Opening,
  parts: ReadonlySet<WallPart>,
) => Promise<boolean>

/** Runs attacks behind the wall of the class bubblewrap, of which parts are open. */
export async function createAttacker(
  { sandboxd, victim, attacker, targets }: Scene,
  directory: string,
): Promise<Succeeds> {
  const { files, filterFile, openFilter } = await createFiles(directory)
  const wall = createBubblewrapWall({
    filterFile,
    systemDirectories: await systemDirectories(),
    sizesMemoryFiles: false,
  })
  const uidOf = async (uid: string) =>
    (await stat(path.join(sandboxd.directory, 'sandboxes', uid, 'workspace'))).uid
  const uid = await uidOf(attacker.key.uid)
  const victimUid = await uidOf(victim.key.uid)
  const isolation: Isolation = {
    programs: await findPrograms(),
    isRoot: true,
    user: { uid, gid: uid },
    limits: undefined,
    controllers: ['memory', 'pids'],
    maxFiles: 1024,
    mark: null,
    restoresMemory: false,
  }
  const { pid } = await attacker.get()

  return async (attack, opening, parts) => {
    const command = attackCommand(attack)
    if (opening.parts.includes('new privileges')) {
      const inside = wall.execCommand({
        files,
        isolation,
        imageUser: null,
        pid: Number(pid),
        networkEntry: null,
        request: create(ExecRequestSchema, { command: [...command] }),
        startPrograms: SYSTEM_PROGRAMS,
        id: 'attack',
      })
      // Its network belongs to the runtime's router, and does not matter here.
      const entering = inside.filter((each) => each !== '--net')
      return run(parts.has('new privileges') ? withoutConfinement(entering) : entering, null)
    }
    const closed = await wall.instanceCommand({
      files,
      isolation,
      volumes: [],
      workingDirectory: '',
      image: null,
      imageUser: null,
      startPrograms: SYSTEM_PROGRAMS,
      network: null,
      name: 'attacker',
      command,
    })
    for (const each of ['', 'etc']) await chmod(path.join(files.runDirectory, each), 0o755)
    const opened = openWall(closed, {
      parts,
      uid: opening.of === 'victim' ? victimUid : 0,
      networkOf: opening.of === 'victim' ? targets.victimPid : null,
      directories: opening.directories ?? [os.tmpdir()],
      openFilter,
    })
    const file = parts.has('descriptors') ? await open(targets.privateFile) : null
    try {
      return await run(opened, file?.fd ?? null)
    } finally {
      await file?.close()
    }
  }
}

/** A command beside the workload, with the privileges that its user can gain. */
function withoutConfinement(command: readonly string[]): readonly string[] {
  const at = command.findIndex(
    (each, index) => each.endsWith('/perl') && command[index + 1] === '-e',
  )
  const next = command.findIndex((each) => path.basename(each) === 'nsenter')
  return [...command.slice(0, at), ...command.slice(next)]
}

/** Runs an attack, and returns whether it succeeds. It inherits the descriptor as number 7. */
async function run(command: readonly string[], descriptor: number | null): Promise<boolean> {
  const [program = '', ...parameters] = command
  const closed = ['ignore', 'ignore', 'ignore', 'ignore'] as const
  const child = spawn(program, parameters, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe', ...(descriptor === null ? [] : [...closed, descriptor])],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await once(child, 'close')
  expect(output).toContain(ENDED)
  return output.includes('ESCAPED')
}
