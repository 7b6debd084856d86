import { rm } from 'node:fs/promises'
import { runProgram } from './run-program.ts'

const TIMEOUT_MS = 600_000

/**
 * Removes a directory that a workload has filled, none of whose processes run. A workload can nest
 * directories deeper than any path of Node, and take the rights from those of an ordinary user. The
 * programs of the machine walk them by descriptors, and follow no links.
 */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true })
  } catch (error) {
    const options = { timeoutMs: TIMEOUT_MS }
    await runProgram(['chmod', '-R', 'u+rwX', '--', directory], options)
    const { code } = await runProgram(['rm', '-rf', '--', directory], options)
    if (code !== 0) throw error
  }
}
