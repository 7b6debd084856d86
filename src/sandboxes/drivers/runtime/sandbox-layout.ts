import path from 'node:path'

/** The directory with copies of programs, in that of an instance. */
export const PROGRAMS = 'programs'

/** The names of directories of probes beside those of sandboxes, which no uid of a sandbox has. */
export const PROBE_PREFIX = '.probe-'

/** The paths of a runtime's files. Root's data may be in another place than its state. */
export interface RuntimeLayout {
  /** Records, lock and socket. Only the runtime's user may enter. */
  readonly stateDirectory: string
  /** One directory per sandbox. Every user may enter, so that workloads reach their own directory. */
  readonly sandboxesDirectory: string
  /** The registered images. Every user may enter, and none may list it. */
  readonly imagesDirectory: string
}

/** The paths of a sandbox's files. */
export interface SandboxPaths {
  readonly directory: string
  readonly workspace: string
  readonly volumes: string
  readonly run: string
  /** Contains the volumes that do not survive a stop. */
  readonly ephemeral: string
  /** Contains the volumes with files from Secrets and ConfigMaps, while an instance runs. */
  readonly contents: string
}

/** The paths of an instance's files. */
export interface InstancePaths {
  readonly directory: string
  readonly output: string
  /** The output before the last truncation. */
  readonly olderOutput: string
  readonly pidFile: string
  readonly exitFile: string
  /** Exists if a wall could not restore the memory of a running instance. */
  readonly lostFile: string
  /** Exports the variables of the workload. */
  readonly environmentFile: string
  /** Exists if its image lacks the programs that start a workload. */
  readonly programs: string
}

export function sandboxPaths(layout: RuntimeLayout, uid: string): SandboxPaths {
  const directory = path.join(layout.sandboxesDirectory, uid)
  const run = path.join(directory, 'run')
  return {
    directory,
    workspace: path.join(directory, 'workspace'),
    volumes: path.join(directory, 'volumes'),
    run,
    ephemeral: path.join(run, 'ephemeral'),
    contents: path.join(directory, 'contents'),
  }
}

export function instancePaths(sandbox: SandboxPaths, instanceId: string): InstancePaths {
  const directory = path.join(sandbox.run, instanceId)
  return {
    directory,
    output: path.join(directory, 'output.log'),
    olderOutput: path.join(directory, 'output.log.1'),
    pidFile: path.join(directory, 'pid'),
    exitFile: path.join(directory, 'exit'),
    lostFile: path.join(directory, 'lost'),
    environmentFile: path.join(directory, 'environment'),
    programs: path.join(directory, PROGRAMS),
  }
}
