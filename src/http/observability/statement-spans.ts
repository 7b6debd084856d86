import { currentContext } from '../../lib/tracing/request-context.ts'
import { OTHER_ERROR } from '../../lib/tracing/span.ts'

/**
 * Adds a completed statement to the trace of its request: its name, but never its text or values.
 * The span includes the wait for a connection.
 */
// oxlint-disable-next-line max-params -- called for each statement: no object per call
export function traceStatement(
  statement: string,
  seconds: number,
  succeeded: boolean,
  rows: number | null,
): void {
  const span = currentContext()?.span
  if (!span) return
  const child = span.child(statement, {
    kind: 'client',
    ageMs: seconds * 1000,
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': statement,
      ...(rows !== null && { 'db.response.returned_rows': rows }),
    },
  })
  child.end(succeeded ? undefined : OTHER_ERROR)
}
