import type { Database } from '../../src/store/database/database.ts'
import type { StatementObserver } from '../../src/store/database/observe-statement.ts'
import { openDatabase } from '../../src/store/database/open-database.ts'

/** Opens a database as a server does, with long timeouts for a busy machine. */
export function openTestDatabase(
  url: string,
  observe: StatementObserver = () => undefined,
  limits: Partial<
    Pick<
      Parameters<typeof openDatabase>[0],
      'poolSize' | 'connectTimeoutMs' | 'acceptsStandbys' | 'isSynchronous'
    >
  > = {},
): Database {
  return openDatabase({
    url,
    poolSize: 6,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    ...limits,
    observe,
    onIdleError: () => undefined,
  })
}
