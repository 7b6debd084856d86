import type { Database } from './database.ts'

const OLDEST_MAJOR = 15

/** Plain SQL, not Prisma: a server that only reads and reports never loads Prisma's query compiler. */
const SERVER_SETTINGS = {
  name: 'server_settings',
  text: `
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`,
}

/** What makes a PostgreSQL server unfit, one line each; empty when it can be used. */
export async function checkServer(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<{ version: number; encoding: string }>(SERVER_SETTINGS, [])
  const problems: string[] = []
  for (const { version, encoding } of rows) {
    const major = Math.floor(version / 10_000)
    if (major < OLDEST_MAJOR) {
      problems.push(`PostgreSQL ${OLDEST_MAJOR} or newer is needed, this is ${major}`)
    }
    if (encoding !== 'UTF8') {
      problems.push(`the database's encoding must be UTF8, it is ${encoding}`)
    }
  }
  return problems
}
