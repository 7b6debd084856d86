import type { Database } from './database.ts'

const MIN_MAJOR_VERSION = 15

/**
 * Plain SQL, because a server without hot Prisma statements need not load Prisma's query compiler.
 */
const SERVER_SETTINGS = {
  name: 'server_settings',
  text: `
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`,
}

/** Returns the reasons why a PostgreSQL server cannot be used; empty if it can. */
export async function checkServer(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<{ version: number; encoding: string }>(SERVER_SETTINGS, [])
  const problems: string[] = []
  for (const { version, encoding } of rows) {
    const major = Math.floor(version / 10_000)
    if (major < MIN_MAJOR_VERSION) {
      problems.push(`PostgreSQL ${MIN_MAJOR_VERSION} or newer is needed, this is ${major}`)
    }
    if (encoding !== 'UTF8') {
      problems.push(`the database's encoding must be UTF8, it is ${encoding}`)
    }
  }
  return problems
}
