import { createHash } from 'node:crypto'
import { constants, open } from 'node:fs/promises'
import path from 'node:path'
import { fileExists } from 'flotilla/programs'
import type { InitContainer, Volume, Workload } from '../../generated/proto/snapshot_driver_pb.ts'
import { removeTree } from '../machine/remove-tree.ts'
import type { SandboxPaths } from '../sandbox-layout.ts'
import type { StartPrograms } from '../walls/view/start-programs.ts'
import type { SandboxView } from '../walls/wall.ts'
import { INIT_STATE, INIT_VARIABLE } from './init-state.ts'
import { withEnvironment } from './shim-command.ts'
import { volumeDirectory } from './working-directory.ts'

const FILE = 'progress'
const MAX_PROGRESS = 200
const RUNNING = /^run ([a-z0-9-]{1,63})$/

/**
 * Runs an init container unless all have ended with this digest, then the rest of its arguments. `n`
 * of them are the command. Its environment is empty at first: that of the workload is already set.
 */
const stageScript = ({ cat, env }: StartPrograms): string =>
  'file=$0 digest=$1 name=$2 index=$3 n=$4; shift 4; i=0 run=; ' +
  'while [ "$i" -lt "$n" ]; do i=$((i + 1)) run="$run \\"\\${$i}\\""; done; ' +
  `if [ "$(${cat.join(' ')} "$file" 2>/dev/null)" != "done $digest" ]; then echo "run $name" >"$file"; ` +
  `eval "${env.join(' ')} -i ${INIT_VARIABLE}=$index $run" || exit; fi; ` +
  'shift "$n"; exec "$@"'
/** Records that all have ended, and enters the working directory of the workload. */
const finishScript = ({ mkdir }: StartPrograms): string =>
  `echo "done $1" >"$0"; ${mkdir.join(' ')} -p "$2" && cd "$2" || exit 125; shift 2; exec "$@"`

export interface Sequence {
  readonly workload: Workload
  readonly view: SandboxView
  /** The commands of the init containers and of the workload. */
  readonly commands: readonly (readonly string[])[]
  readonly command: readonly string[]
  readonly startPrograms: StartPrograms
}

/** The command that runs the init containers in order and becomes the workload. */
export function initSequence({
  workload,
  view,
  commands,
  command,
  startPrograms,
}: Sequence): readonly string[] {
  const { initContainers, volumes, workingDir } = workload
  const file = path.join(view.volume(INIT_STATE), FILE)
  const digest = initDigest(workload)
  const finish = [file, digest, view.workingDirectory(volumes, workingDir)]
  const inside = { environmentFile: view.environmentFile, startPrograms }
  const { sh } = startPrograms
  const script = stageScript(startPrograms)
  const stages = initContainers.flatMap((init, index) => {
    const workingDirectory = view.workingDirectory(init.volumes, init.workingDir)
    const own = withEnvironment({ ...inside, workingDirectory }, commands[index] ?? [])
    return [...sh, '-c', script, file, digest, init.name, `${index}`, `${own.length}`, ...own]
  })
  return [...stages, ...sh, '-c', finishScript(startPrograms), ...finish, ...command]
}

/** Identifies the programs of init containers: others run again. */
export function initDigest({ initContainers }: Workload): string {
  const programs = initContainers.map(({ name, command, args, workingDir }: InitContainer) => ({
    name,
    command,
    args,
    workingDir,
  }))
  return createHash('sha256').update(JSON.stringify(programs)).digest('hex')
}

/** The volumes that a workload has on the machine. */
export function allVolumes({ volumes, initContainers }: Workload): readonly Volume[] {
  return initContainers.length === 0 ? volumes : [...volumes, INIT_STATE]
}

/** Lets init containers run again if a directory that they fill has been removed. */
export async function forgetInit(paths: SandboxPaths, workload: Workload): Promise<void> {
  const filled = new Set(workload.initContainers.flatMap((init) => init.volumes.map(nameOf)))
  for (const volume of workload.volumes) {
    const isFilled = volume.ephemeral && volume.content === undefined && filled.has(volume.name)
    if (!isFilled || (await fileExists(volumeDirectory(paths, volume)))) continue
    await removeTree(volumeDirectory(paths, INIT_STATE))
  }
}

function nameOf({ name }: Volume): string {
  return name
}

/** The name of the init container that runs or has failed; null if all have ended. */
export async function runningInit(paths: SandboxPaths, digest: string): Promise<string | null> {
  const text = await readProgress(path.join(volumeDirectory(paths, INIT_STATE), FILE))
  if (text === `done ${digest}`) return null
  return RUNNING.exec(text)?.[1] ?? ''
}

/** The sandbox may have replaced the file, for example by a link or a pipe. */
async function readProgress(file: string): Promise<string> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    await using handle = await open(file, flags)
    if (!(await handle.stat()).isFile()) return ''
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_PROGRESS), 0, MAX_PROGRESS, 0)
    return buffer.subarray(0, bytesRead).toString('latin1').trim()
  } catch {
    return ''
  }
}
