import { pause } from '../../../lib/async/pause.ts'
import { writeProblemOf, type WriteProblem } from './translate-database-error.ts'

/** Between two attempts to write. */
const PROBE_MS = 1000

interface Options {
  /** A write that leaves nothing behind; rejects if it fails. */
  readonly probe: () => Promise<void>
  /** Receives each change; null means that writes succeed. */
  readonly onChange: (problem: WriteProblem | null) => void
}

/** Whether the database takes writes, according to the last one that failed for want of it. */
export interface WriteHealth extends AsyncDisposable {
  /** Null while writes succeed. */
  readonly problem: WriteProblem | null
  /** A statement has failed, for whatever reason. */
  statementFailed(error: unknown): void
}

/**
 * Remembers a write that failed on a full disk or a read-only database until a write succeeds. A
 * load balancer sends no requests to a server that is not ready, so the server then writes itself.
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
        // Any other failure says nothing about the disk; a database that is away has its own check.
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
