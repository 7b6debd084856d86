import { sendSignalIfOwn } from 'flotilla/programs'
import { descendantsOf, listProcesses } from './list-processes.ts'

/**
 * Kills a process with its descendants, which may have left its process group. After its end, kills
 * the rest of its group, unless another process has its pid: then the group has no members either.
 */
export async function killTree(
  pid: number,
  isRunning: () => boolean | Promise<boolean>,
): Promise<void> {
  const rows = await listProcesses()
  if (rows.some((row) => row.pid === pid) && !(await isRunning())) return
  const descendants = descendantsOf(rows, pid)
  for (const target of [-pid, pid, ...descendants]) sendSignalIfOwn(target, 'SIGKILL')
}
