import type { DatabaseFacts } from '../../store/doctor/database-facts.ts'

/** The result of one check. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** The remedy; absent if the check passes. */
  readonly remedy?: string
}

/** The expected migrations and the size of the pool. */
export interface Expectations {
  /** The migrations of this build, oldest first. */
  readonly migrations: readonly string[]
  /** `pool-size` of DATABASE_OPTIONS; 0 if a pooler has these connections. */
  readonly poolSize: number
}

const MIN_VERSION = 15
/** Connections of a server that listen for changes. */
const LISTENERS = 2
const MAX_CLOCK_DIFFERENCE_S = 2
const MAX_TRANSACTION_S = 600
const MAX_OUTBOX_AGE_S = 10
const MAX_TRANSACTION_AGE = 1_000_000_000

/** The checks of a database, in the order of their output. */
export function databaseFindings(facts: DatabaseFacts, expected: Expectations): readonly Finding[] {
  return [
    server(facts),
    clock(facts),
    schema(facts, expected),
    servers(facts),
    connections(facts, expected),
    feed(facts),
    transactions(facts),
    maintenance(facts),
    indexes(facts),
  ]
}

const ok = (message: string): Finding => ({ level: 'ok', message })
const warning = (message: string, remedy: string): Finding => ({
  level: 'warning',
  message,
  remedy,
})
const problem = (message: string, remedy: string): Finding => ({
  level: 'problem',
  message,
  remedy,
})

function server({ versionNumber, encoding, isReadOnly, bytes }: DatabaseFacts): Finding {
  const version = Math.floor(versionNumber / 10_000)
  if (version < MIN_VERSION) {
    return problem(
      `PostgreSQL ${version} is too old`,
      `Upgrade it to ${MIN_VERSION} or newer: see the pg_upgrade manual`,
    )
  }
  if (encoding !== 'UTF8') {
    return problem(
      `The encoding of the database is ${encoding}`,
      "Create a database with: create database flotilla encoding 'UTF8' template template0",
    )
  }
  if (isReadOnly) {
    return problem(
      'The database is read-only',
      'Connect to the primary: a standby accepts no writes. Check DATABASE_URL',
    )
  }
  return ok(`PostgreSQL ${version}, ${(bytes / 1e6).toFixed(0)} MB of data`)
}

function clock({ clockAhead }: DatabaseFacts): Finding {
  const difference = Math.abs(clockAhead)
  if (difference <= MAX_CLOCK_DIFFERENCE_S) return ok('The clocks of database and machine agree')
  return warning(
    `The clock of the database is ${difference.toFixed(1)} s ${clockAhead > 0 ? 'ahead of' : 'behind'} this machine`,
    'Synchronize both clocks with NTP: leases and ages depend on them',
  )
}

function schema({ migrations }: DatabaseFacts, expected: Expectations): Finding {
  const applied = new Set(migrations?.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !expected.migrations.includes(name))
  if (unknown.length > 0) {
    return problem(
      `The database has migrations of a newer version: ${unknown.join(', ')}`,
      'Start a version of Flotilla that has them, or restore a backup',
    )
  }
  const missing = expected.migrations.filter((name) => !applied.has(name))
  if (migrations === null || missing.length > 0) {
    return warning(
      `${missing.length} of ${expected.migrations.length} migrations are not applied`,
      'Run flotilla migrate, or start the server, which applies them',
    )
  }
  return ok(`All ${expected.migrations.length} migrations are applied`)
}

function servers({ servers: live }: DatabaseFacts): Finding {
  if (live === null || live.length === 0) {
    return warning('No server is running', 'Run flotilla start')
  }
  const fingerprints = new Set(live.map(({ fingerprint }) => fingerprint))
  const hosts = live.map(({ host }) => host).join(', ')
  if (fingerprints.size > 1) {
    return problem(
      `The servers on ${hosts} have ${fingerprints.size} different configurations`,
      'Give all servers the same settings and kinds: their logs name the differences',
    )
  }
  return ok(`${live.length} server(s) run, on ${hosts}`)
}

function connections(
  { connections: used, maxConnections, servers: live }: DatabaseFacts,
  { poolSize }: Expectations,
): Finding {
  const needed = Math.max(1, live?.length ?? 0) * (poolSize + LISTENERS)
  if (needed > maxConnections) {
    return problem(
      `The servers may open ${needed} connections, and PostgreSQL allows ${maxConnections}`,
      'Reduce pool-size of DATABASE_OPTIONS, or raise max_connections',
    )
  }
  return ok(`${used} of ${maxConnections} connections are in use`)
}

function feed({ outboxAge, servers: live }: DatabaseFacts): Finding {
  // Without a server, changes wait for the next one.
  if (outboxAge <= MAX_OUTBOX_AGE_S || live === null || live.length === 0) {
    return ok('Changes reach watches without delay')
  }
  return problem(
    `The oldest change has waited for ${outboxAge.toFixed(0)} s: watches are behind`,
    "Check the servers' logs for 'the feed of changes waits'",
  )
}

function transactions({ longestTransaction }: DatabaseFacts): Finding {
  if (longestTransaction <= MAX_TRANSACTION_S) return ok('No transaction is open for long')
  return warning(
    `A transaction has been open for ${Math.round(longestTransaction / 60)} minutes`,
    'End it: it keeps PostgreSQL from removing old row versions. See pg_stat_activity',
  )
}

function maintenance({ hasAutovacuum, transactionAge }: DatabaseFacts): Finding {
  if (!hasAutovacuum) {
    return problem('Autovacuum is off', 'Set autovacuum = on in postgresql.conf')
  }
  if (transactionAge > MAX_TRANSACTION_AGE) {
    return problem(
      `The oldest row version is ${transactionAge} transactions old`,
      'Run vacuum freeze: PostgreSQL stops accepting writes at two billion',
    )
  }
  return ok('Autovacuum keeps up')
}

function indexes({ invalidIndexes }: DatabaseFacts): Finding {
  if (invalidIndexes.length === 0) return ok('All indexes are valid')
  return problem(
    `Indexes are invalid: ${invalidIndexes.join(', ')}`,
    'Run reindex index concurrently for each of them',
  )
}
