import type { Database } from './database.ts'
import {
  sessionProblem,
  SHOWN_SETTINGS,
  type ShownSettings,
} from './connection/session-settings.ts'

const MIN_MAJOR_VERSION = 15

/**
 * Plain SQL, because a server without hot Prisma statements need not load Prisma's query compiler.
 */
const SERVER_SETTINGS = {
  name: 'server_settings',
  text: `
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding, ${SHOWN_SETTINGS}`,
}

interface ServerSettings extends ShownSettings {
  readonly version: number
  readonly encoding: string
}

/** Returns the reasons why a PostgreSQL server cannot be used; empty if it can. */
export async function checkServer(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<ServerSettings>(SERVER_SETTINGS, [])
  const problems: string[] = []
  for (const { version, encoding, ...session } of rows) {
    const major = Math.floor(version / 10_000)
    if (major < MIN_MAJOR_VERSION) {
      problems.push(`PostgreSQL ${MIN_MAJOR_VERSION} or newer is needed, this is ${major}`)
    }
    if (encoding !== 'UTF8') {
      problems.push(`the database's encoding must be UTF8, it is ${encoding}`)
    }
    const problem = sessionProblem(session, database.connection.statementTimeoutMs)
    if (problem !== null) problems.push(problem)
  }
  return problems
}
