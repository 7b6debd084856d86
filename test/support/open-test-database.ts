import {
  type Database,
  openDatabase,
  type StatementObserver,
} from '../../src/core/storage/database/database.ts'

/** Opens a database as a server does, with long timeouts for a busy machine. */
export function openTestDatabase(
  url: string,
  observe: StatementObserver = () => undefined,
): Database {
  return openDatabase({
    url,
    poolSize: 6,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    observe,
    onIdleError: () => undefined,
  })
}
