import { sendSignalIfOwn } from 'flotilla/programs'
import { descendantsOf, listProcesses } from './list-processes.ts'

/** Kills a process with its descendants, which may have left its process group. */
export async function killTree(pid: number): Promise<void> {
  const descendants = descendantsOf(await listProcesses(), pid)
  for (const target of [-pid, pid, ...descendants]) sendSignalIfOwn(target, 'SIGKILL')
}
