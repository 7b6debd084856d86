import { createHash } from 'node:crypto'
import path from 'node:path'
import { runProgram } from '../../machine/run-program.ts'

/** How runsc intercepts the system calls of a workload. */
export type GvisorPlatform = 'systrap' | 'ptrace'

/** The installed runsc, and how this runtime uses it. */
export interface GvisorEngine {
  readonly program: string
  readonly version: string
  readonly platform: GvisorPlatform
  /** The private directory in which runsc keeps the state of containers. */
  readonly stateRoot: string
}

const TIMEOUT_MS = 30_000
const CONTAINER_ID_LENGTH = 24

/** Reads version and platforms of runsc; a text with the reason if it does not answer. */
export async function openEngine(
  program: string,
  stateRoot: string,
): Promise<GvisorEngine | string> {
  const [{ code, output }, flags] = await Promise.all([
    runProgram([program, '--version'], { timeoutMs: TIMEOUT_MS }),
    runProgram([program, 'flags'], { timeoutMs: TIMEOUT_MS, maxOutput: 100_000 }),
  ])
  const version = /version (?:release-)?(\S+)/.exec(output)?.[1]
  if (code !== 0 || version === undefined) return `runsc --version failed: ${output.trim()}`
  // KVM needs a device, and hangs on machines that are virtual themselves.
  const platform = /-platform[^]*?systrap/.test(flags.output) ? 'systrap' : 'ptrace'
  return { program, version, platform, stateRoot }
}

/**
 * runsc with the options that all its commands share. The engine's own filter stays on. `network` matters
 * to commands that start containers.
 */
export function runscCommand(
  { program, platform, stateRoot }: GvisorEngine,
  network: 'none' | 'sandbox' = 'none',
): readonly string[] {
  return [
    program,
    `--root=${stateRoot}`,
    `--platform=${platform}`,
    `--network=${network}`,
    // The runtime limits and freezes the processes of runsc in the cgroup of the instance.
    '--ignore-cgroups',
  ]
}

/** The name of an instance's container. Names of sockets contain it, so it is short. */
export function containerId(runDirectory: string): string {
  return createHash('sha256').update(runDirectory).digest('hex').slice(0, CONTAINER_ID_LENGTH)
}

/** The files of an instance's container: the bundle, and its memory during a checkpoint. */
export interface ContainerFiles {
  readonly directory: string
  readonly rootDirectory: string
  readonly specFile: string
  /** Exists while and after a checkpoint writes the memory, until the processes continue. */
  readonly checkpoint: string
  /** The complete images of a checkpoint, below `checkpoint` and `restoring`. */
  readonly imageName: string
  /** Images from which processes are being restored. */
  readonly restoring: string
  /** Names the processes that a checkpoint depends on. The container does not continue before. */
  readonly holdFile: string
}

export function containerFiles(runDirectory: string): ContainerFiles {
  const directory = path.join(runDirectory, 'container')
  return {
    directory,
    rootDirectory: path.join(directory, 'rootfs'),
    specFile: path.join(directory, 'config.json'),
    checkpoint: path.join(directory, 'checkpoint'),
    imageName: 'image',
    restoring: path.join(directory, 'restoring'),
    holdFile: path.join(directory, 'hold'),
  }
}
