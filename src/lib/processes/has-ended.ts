import type { ChildProcess } from 'node:child_process'

/** Whether a child process has exited or was killed by a signal. */
export function hasEnded({
  exitCode,
  signalCode,
}: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean {
  return exitCode !== null || signalCode !== null
}
