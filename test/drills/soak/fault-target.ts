/** A process that faults are injected into. Its supervisor starts it again when it ends. */
export interface FaultTarget extends AsyncDisposable {
  /** Null between two runs. */
  pid(): number | null
  /** Resolves when the process works, after a fault maybe long after it has started. */
  ready(): Promise<void>
}

/** Sends a signal, unless the process has ended. */
export function signal(pid: number | null, name: NodeJS.Signals): void {
  if (pid === null) return
  try {
    process.kill(pid, name)
  } catch {
    // The process ended by itself.
  }
}
