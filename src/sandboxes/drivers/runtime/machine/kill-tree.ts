import { sendSignalIfOwn } from 'flotilla/programs'
import { descendantsOf, listProcesses, signalProcess } from './list-processes.ts'

/**
 * Kills a process with its descendants, which may have left its process group. After its end, kills
 * the rest of its group, unless another process has its pid: then the group has no members either.
 */
export async function killTree(
  pid: number,
  isRunning: () => boolean | Promise<boolean>,
): Promise<void> {
  const rows = await listProcesses()
  const own = rows.filter((row) => row.pid === pid)
  if (own.length > 0 && !(await isRunning())) return
  sendSignalIfOwn(-pid, 'SIGKILL')
  for (const row of [...own, ...descendantsOf(rows, pid)]) signalProcess(row, 'SIGKILL')
}
