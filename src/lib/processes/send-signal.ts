import { errorCode } from '../error-code.ts'

/** Signals a process, or a group of processes by its negative id. Those that have ended need none. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** As {@link sendSignal}, for an id that a process of another user may have by now. */
export function sendSignalIfOwn(pid: number, signal: NodeJS.Signals): void {
  try {
    sendSignal(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
  }
}
