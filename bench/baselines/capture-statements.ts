import type { Database } from '../../src/store/database/database.ts'
import { openDatabase } from '../../src/store/database/open-database.ts'

/** A statement as the storage layer sends it. */
export interface CapturedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs storage functions against a stub database that records their statements. */
export async function captureStatements(
  ...calls: readonly ((database: Database) => Promise<unknown>)[]
): Promise<readonly CapturedStatement[]> {
  const captured: CapturedStatement[] = []
  const record = <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    captured.push({ text, values })
    return Promise.resolve([])
  }
  const unreachable = openDatabase({
    url: 'postgresql://nobody@127.0.0.1:1/nothing',
    poolSize: 1,
    statementTimeoutMs: 1,
    connectTimeoutMs: 1,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
  await using database: Database = {
    ...unreachable,
    execute: ({ text }, values) => record(text, values),
    query: (_, { text, values }) => record(text, values),
  }
  // The stub returns no rows, so functions may fail after they have sent their statements.
  for (const call of calls) await call(database).catch(() => undefined)
  return captured
}
