import { pause } from '../../lib/async/pause.ts'
import { writeProblemOf, type WriteProblem } from './translate-database-error.ts'

/** Pause between two probes. */
const PROBE_MS = 1000

interface Options {
  /** Writes and rolls back; rejects if the write fails. */
  readonly probe: () => Promise<void>
  /** Called with each change; null means that writes succeed. */
  readonly onChange: (problem: WriteProblem | null) => void
}

/** Whether writes succeed, based on failed statements and probes. */
export interface WriteHealth extends AsyncDisposable {
  /** Null while writes succeed. */
  readonly problem: WriteProblem | null
  /** Call with the error of each failed statement. */
  statementFailed(error: unknown): void
}

/**
 * Reports a problem when a write fails on a full disk or a read-only database. It then probes until
 * a write succeeds, because a server that is not ready receives no requests that could write.
 */
export function createWriteHealth({ probe, onChange }: Options): WriteHealth {
  const stopped = new AbortController()
  const { signal } = stopped
  let problem: WriteProblem | null = null
  let probing: Promise<void> = Promise.resolve()

  function change(to: WriteProblem | null): void {
    if (to === problem) return
    problem = to
    onChange(to)
  }

  async function probeUntilWritten(): Promise<void> {
    while (problem !== null) {
      await pause(PROBE_MS, signal)
      if (signal.aborted) return
      try {
        await probe()
        change(null)
      } catch (error) {
        // Other failures do not show whether writes work; readiness detects an unreachable
        // database.
        change(writeProblemOf(error) ?? problem)
      }
    }
  }

  return {
    get problem() {
      return problem
    },
    statementFailed: (error) => {
      const found = writeProblemOf(error)
      if (found === null || problem !== null || signal.aborted) return
      change(found)
      probing = probeUntilWritten()
    },
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await probing
    },
  }
}
