import { currentWork, turnOf, workFor } from '../../lib/tracing/main-thread.ts'

/**
 * Called after every statement: its name, its duration in seconds, whether it succeeded, and the
 * number of its rows, which is null if unknown.
 */
// oxlint-disable-next-line max-params -- called for each statement: no object per call
export type StatementObserver = (
  name: string,
  seconds: number,
  succeeded: boolean,
  rows: number | null,
) => void

interface Options {
  readonly observe: StatementObserver
  /** Called with the error of each failed statement. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Runs a statement and reports its duration and outcome. Work in a transaction continues immediately,
 * because its locks and its connection would make others wait.
 */
export type ObserveStatement = <T>(
  name: string,
  work: () => Promise<T>,
  place?: 'in transaction',
) => Promise<T>

export function statementObserver({ observe, onFailure }: Options): ObserveStatement {
  return async (name, work, place) => {
    const start = performance.now()
    const caller = currentWork()
    let succeeded = false
    let rows: number | null = null
    try {
      const result = await work()
      succeeded = true
      if (Array.isArray(result)) rows = result.length
      return result
    } catch (error) {
      onFailure(error)
      throw error
    } finally {
      const seconds = (performance.now() - start) / 1000
      const turn = place === undefined ? turnOf(caller) : null
      if (turn !== null) await turn
      workFor(caller)
      observe(name, seconds, succeeded, rows)
    }
  }
}
