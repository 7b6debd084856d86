import type { FoundationConfig } from '../capability/foundation-settings.ts'
import type { Database } from '../store/database/database.ts'
import { openDatabase } from '../store/database/open-database.ts'

/** Connections to the directory. Tenants are looked up once, and new ones are rare. */
const POOL_SIZE = 4

type Settings = Pick<
  FoundationConfig,
  'statementTimeoutMs' | 'databaseConnectTimeoutMs' | 'databasePreparedStatements'
>

type Observer = Pick<Parameters<typeof openDatabase>[0], 'observe' | 'onIdleError'>

/** Opens a few connections to the directory, or to the database of a shard. */
export function openDirectoryDatabase(config: Settings, url: string, observer: Observer): Database {
  return openDatabase({
    url,
    preparedStatements: config.databasePreparedStatements === 'on',
    poolSize: POOL_SIZE,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    ...observer,
  })
}
