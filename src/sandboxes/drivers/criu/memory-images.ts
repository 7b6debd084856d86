import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'
import { cgroupMembers, setFrozen } from '../runtime/machine/cgroup.ts'
import { DUMP_LOG, dumpCommand } from './dump-command.ts'
import { listMappedFiles } from './mapped-files.ts'
import { type MemoryMetadata, METADATA_NAME } from './memory-metadata.ts'
import { runProgram } from '../runtime/machine/run-program.ts'

/** A dump takes at most a second per GiB. Killing criu can damage the workload, so this is generous. */
const DUMP_TIMEOUT_MS = 300_000
const MAX_LOGGED_ERRORS = 3
const MAX_ATTEMPTS = 5
/** A program that starts another one waits in the kernel, and criu cannot stop it there. */
const UNSEIZABLE = /Unseizable non-zombie/
const RUN_BETWEEN_ATTEMPTS_MS = 20

/** Properties of an instance that its images depend on. */
export type DumpedInstance = Pick<
  HostedInstance,
  'pid' | 'cgroup' | 'user' | 'outputFile' | 'runDirectory' | 'directory'
>

/**
 * Writes the memory of a frozen instance and its description into an empty directory that only root
 * can enter. The instance stays frozen. A cancellation waits for criu, which is inside the processes.
 */
export async function writeMemoryImages(
  instance: DumpedInstance,
  images: string,
  capabilities: readonly number[],
): Promise<void> {
  const { pid, cgroup, user, directory } = instance
  if (cgroup === null) {
    throw new SandboxDriverError('FAILED_PRECONDITION', 'the instance has no cgroup to freeze')
  }
  await mkdir(images, { recursive: true, mode: 0o700 })
  const metadata: MemoryMetadata = {
    format: 1,
    uid: user?.uid ?? 0,
    outputFile: instance.outputFile,
    exitStatusFile: exitStatusFile(instance.runDirectory),
    directory,
    mappedFiles: await listMappedFiles(await cgroupMembers(cgroup), directory),
  }
  const command = dumpCommand({ pid, images, cgroup, user, capabilities })
  for (let attempt = 1; ; attempt += 1) {
    const { code, output, timedOut } = await runProgram(command, { timeoutMs: DUMP_TIMEOUT_MS })
    if (code === 0) break
    const log = await readFile(path.join(images, DUMP_LOG), 'utf8').catch(() => '')
    if (attempt === MAX_ATTEMPTS || !UNSEIZABLE.test(log)) {
      throw dumpFailure(log, timedOut ? 'it was too slow' : output)
    }
    await emptyDirectory(images)
    await setFrozen(cgroup, false)
    await sleep(RUN_BETWEEN_ATTEMPTS_MS)
    await setFrozen(cgroup, true)
  }
  await writeFile(path.join(images, METADATA_NAME), JSON.stringify(metadata))
  await removeLogs(images)
}

/** The first process of an instance writes the workload's exit status to this file. */
export function exitStatusFile(runDirectory: string): string {
  return path.join(runDirectory, 'exit-status')
}

function dumpFailure(log: string, output: string): SandboxDriverError {
  const reasons = firstErrors(log) || output.trim()
  const isFull = /no space left on device|disk quota exceeded/i.test(log)
  return new SandboxDriverError(
    isFull ? 'RESOURCE_EXHAUSTED' : 'FAILED_PRECONDITION',
    `criu could not write the memory of the processes: ${reasons}`,
    { reason: isFull ? 'StoreFull' : null },
  )
}

/** The first errors in a log of criu, except the harmless one of processes without CAP_SYS_RESOURCE. */
export function firstErrors(log: string): string {
  return log
    .split('\n')
    .filter((line) => line.includes('Error (') && !line.includes('RLIMIT_NOFILE for self'))
    .slice(0, MAX_LOGGED_ERRORS)
    .map((line) => line.replace(/^.*?Error \(/, '('))
    .join('; ')
}

async function emptyDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    await rm(path.join(directory, name), { recursive: true })
  }
}

async function removeLogs(images: string): Promise<void> {
  const names = await readdir(images)
  const logs = names.filter((name) => name.endsWith('.log'))
  await Promise.all(logs.map((name) => rm(path.join(images, name))))
}
