import { link, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { must } from 'flotilla'
import { type Isolation, joinCgroups, withEnvironment } from '../../instances/shim-command.ts'
import { ENVIRONMENT_FILE, SANDBOX_VIEW } from '../view/places.ts'
import { hostNameOf } from '../view/host-name.ts'
import { imageDirectories } from '../view/image-directories.ts'
import { readCommand } from '../bubblewrap/read-command.ts'
import type { SystemDirectory } from '../view/system-directories.ts'
import { writeAccountFiles } from '../view/write-account-files.ts'
import type { Separation, Wall, WallStart } from '../wall.ts'
import { createBundle } from './create-bundle.ts'
import { containerFiles, containerId, type GvisorEngine, runscCommand } from './engine.ts'
import { endExec, execCommand, signalWorkload } from './exec-in-container.ts'
import { releaseContainer } from './release-container.ts'
import { NETWORK_NAMESPACE, superviseCommand } from './supervise.ts'

/** The separations of the class. A workload never reaches the kernel of the machine. */
export const GVISOR_SEPARATES: readonly Separation[] = ['files', 'processes', 'network', 'kernel']

/** runsc has up to 200 threads while a command starts beside the workload. */
const ENGINE_THREADS = 256n

/** The first process in the container: it reaps orphans and reports the status of the workload. */
const INIT = '"$@"; exit "$?"'

interface WallParts {
  readonly engine: GvisorEngine
  readonly systemDirectories: readonly SystemDirectory[]
  /** Why its containers cannot join networks; empty if they can. */
  readonly networkProblem: string
}

/** The class `gvisor`: each sandbox has a separate kernel, which runs as a process. */
export function createGvisorWall(parts: WallParts): Wall {
  const { engine, networkProblem } = parts
  const runsc = runscCommand(engine)
  return {
    name: 'gvisor',
    separates: GVISOR_SEPARATES,
    joinsNetworks: networkProblem === '' ? 'asking' : 'none',
    networkProblem,
    usesImages: true,
    engine,
    engineThreads: ENGINE_THREADS,
    view: () => SANDBOX_VIEW,
    instanceCommand: (start) => startContainer(parts, start, ''),
    restoreCommand: async (start, images) => {
      const { directory, restoring, imageName } = containerFiles(start.files.runDirectory)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await rm(restoring, { recursive: true, force: true })
      await linkFiles(images, path.join(restoring, imageName))
      return startContainer(parts, start, images)
    },
    readCommand: (isolation, directories) =>
      readCommand(parts.systemDirectories, isolation, directories),
    execCommand: (exec) => execCommand(runsc, exec),
    endExec: (exec, hasEnded) => endExec(runsc, exec, hasEnded),
    signal: (target, signal) => signalWorkload(runsc, target, signal),
    release: (runDirectory) => releaseContainer(engine, runDirectory),
  }
}

/** Writes the bundle of a container. Without images, the container starts from the beginning. */
async function startContainer(
  { engine, systemDirectories: machineDirectories }: WallParts,
  start: WallStart,
  images: string,
): Promise<readonly string[]> {
  const { files, isolation, volumes, name, image, imageUser, network, startPrograms } = start
  const systemDirectories =
    image === null ? machineDirectories : await imageDirectories(image, volumes)
  const hostName = hostNameOf(name)
  const user = must(isolation.user, 'the user of a sandbox')
  const workingDirectory = SANDBOX_VIEW.workingDirectory(volumes, start.workingDirectory)
  const inside = { environmentFile: ENVIRONMENT_FILE, workingDirectory, startPrograms }
  const container = containerFiles(files.runDirectory)
  await createBundle(container, {
    systemDirectories,
    accounts: await writeAccountFiles(files.runDirectory, {
      user,
      inside: imageUser ?? user,
      hostName,
      image,
      network,
    }),
    files,
    volumes,
    user,
    imageUser,
    hostname: hostName,
    maxFiles: isolation.maxFiles,
    networkNamespace: network === null ? null : NETWORK_NAMESPACE,
    command: [...startPrograms.sh, '-c', INIT, 'init', ...withEnvironment(inside, start.command)],
  })
  return [
    ...(isolation.programs.setsid ? [isolation.programs.setsid] : []),
    ...joinCgroups(files),
    ...(imageUser === null ? [] : keepGroup(isolation)),
    ...superviseCommand({
      directory: container.directory,
      pidFile: files.pidFile,
      lostFile: files.lostFile,
      containerId: containerId(files.runDirectory),
      action: images === '' ? 'run' : 'restore',
      images,
      network: network && { namespace: network.namespace, address: network.record.address },
      runsc: runscCommand(engine, network === null ? 'none' : 'sandbox'),
    }),
  ]
}

/**
 * If programs are the user 0 of an image, runsc opens files as the sandbox's user, perhaps without its
 * group. Its processes keep this group, so that they can enter the directories of the sandbox.
 */
function keepGroup({ programs, user }: Isolation): readonly string[] {
  const { gid } = must(user, 'the user of a sandbox')
  return [must(programs.setpriv, 'setpriv'), `--groups=${gid}`, '--']
}

/** Nothing is copied. If the start fails before the shim runs, the next one finds the files again. */
export async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of await readdir(from)) await link(path.join(from, name), path.join(to, name))
}
