import { descendantsOf, listProcesses } from './list-processes.ts'

/** Kills a process with its descendants, which may have left its process group. */
export async function killTree(pid: number): Promise<void> {
  const descendants = descendantsOf(await listProcesses(), pid)
  for (const target of [-pid, pid, ...descendants]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}
