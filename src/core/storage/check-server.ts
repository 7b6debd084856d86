import type { Database } from './database.ts'

const OLDEST_MAJOR = 15

/** What makes a PostgreSQL server unfit, one line each; empty when it can be used. */
export async function checkServer(database: Database): Promise<readonly string[]> {
  const rows = await database.withPrisma(
    'check_server',
    (prisma) => prisma.$queryRaw<{ version: string; encoding: string }[]>`
      select current_setting('server_version_num') as version,
        current_setting('server_encoding') as encoding`,
  )
  const problems: string[] = []
  for (const { version, encoding } of rows) {
    const major = Math.floor(Number(version) / 10_000)
    if (major < OLDEST_MAJOR)
      problems.push(`PostgreSQL ${OLDEST_MAJOR} or newer is needed, this is ${major}`)
    if (encoding !== 'UTF8')
      problems.push(`the database's encoding must be UTF8, it is ${encoding}`)
  }
  return problems
}
