import { sendSignal } from 'flotilla/programs'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'

/** An instance that does not run while its files are captured. */
export interface FrozenInstance {
  readonly wasFrozen: boolean
  thaw(): Promise<void>
}

/**
 * Freezes an instance through its cgroup. Without one it stops the process group of the workload;
 * processes that left the group continue, and a file that they change fails the capture.
 */
export async function freezeInstance(instance: HostedInstance): Promise<FrozenInstance> {
  if (!instance.canFreeze) {
    signalGroup(instance.pid, 'SIGSTOP')
    return { wasFrozen: false, thaw: async () => signalGroup(instance.pid, 'SIGCONT') }
  }
  const wasFrozen = await instance.isFrozen()
  if (!wasFrozen) await instance.freeze()
  return { wasFrozen, thaw: () => instance.thaw() }
}

/** Signals the group of a process. An instance that has exited needs no signal. */
function signalGroup(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  // Groups 0 and 1 would be this process's own group and every process.
  if (pid <= 1) return
  sendSignal(-pid, signal)
}
