import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { containerFiles, containerId, type GvisorEngine } from './engine.ts'

/**
 * Removes the remains of a container: its state in runsc, its bundle and its memory. `runsc delete`
 * would wait a second for processes that were killed with the cgroup of the instance.
 */
export async function releaseContainer(
  { stateRoot }: Pick<GvisorEngine, 'stateRoot'>,
  runDirectory: string,
): Promise<void> {
  const id = containerId(runDirectory)
  const { directory } = containerFiles(runDirectory)
  for (const name of await readdir(stateRoot)) {
    if (name.includes(id)) await rm(path.join(stateRoot, name), { force: true })
  }
  // The killed supervisor's shell may still write the exit status of runsc.
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
