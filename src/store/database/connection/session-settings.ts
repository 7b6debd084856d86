import pg from 'pg'

/** Sets a session up while it connects. A pooler may reject these parameters. */
export function startupParameters(statementTimeoutMs: number): pg.PoolConfig {
  return {
    statement_timeout: statementTimeoutMs,
    // Functions that disable sequential scans look expensive to PostgreSQL before version 18. It would
    // compile their plans for 100 ms and more in each call.
    options: '-c timezone=UTC -c jit=off',
  }
}

/** The settings of a session as PostgreSQL shows them. */
export interface ShownSettings {
  readonly role: string
  readonly database: string
  readonly timezone: string
  readonly jit: string
  /** In milliseconds; 0 means no timeout. */
  readonly statement_timeout: number
}

/** The select list of ShownSettings. */
export const SHOWN_SETTINGS = `
  current_user::text as role, current_database()::text as database,
  current_setting('TimeZone') as timezone, current_setting('jit') as jit,
  (select setting::integer from pg_settings where name = 'statement_timeout') as statement_timeout`

/**
 * The problem of a session whose pooler ignores startup parameters, with the remedy; null if its
 * settings are right. A shorter timeout is right: it only rejects searches earlier.
 */
export function sessionProblem(
  { role, database, timezone, jit, statement_timeout: timeout }: ShownSettings,
  statementTimeoutMs: number,
): string | null {
  const wrong = [
    ...(/^(Etc\/)?UTC$/.test(timezone) ? [] : [{ name: 'timezone', is: timezone, set: "'UTC'" }]),
    ...(jit === 'off' ? [] : [{ name: 'jit', is: jit, set: 'off' }]),
    ...(timeout > 0 && timeout <= statementTimeoutMs
      ? []
      : [{ name: 'statement_timeout', is: `${timeout}ms`, set: `'${statementTimeoutMs}ms'` }]),
  ]
  if (wrong.length === 0) return null
  const found = wrong.map(({ name, is }) => `${name} is ${is}`).join(', ')
  const target = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
  const remedy = wrong.map(({ name, set }) => `${target} set ${name} = ${set};`).join(' ')
  return (
    `${found} in the sessions of the pooler. Add these settings to connect_query in the pooler's ` +
    `configuration, or run: ${remedy} Then let the pooler connect again (RECONNECT)`
  )
}
