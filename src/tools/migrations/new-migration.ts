import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'
import { migrate, migrationNames } from '../../store/database/migrate.ts'
import { functionDifference, readFunctionFiles } from './function-difference.ts'
import { migrationName } from './migration-name.ts'
import { schemaDifference } from './schema-difference.ts'

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))
/** The author replaces it: a test demands "may run" or "must stop" there. */
const HEADER = '-- Older servers: state here whether they may run beside this schema, and why.\n'
const functions = fileURLToPath(new URL('../../../prisma/functions', import.meta.url))
const schemaFile = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url))

/**
 * Writes the migration from the committed migrations to schema.prisma and the stored functions. Add
 * collations, predicates, fill factors and triggers by hand: Prisma's language cannot express them.
 */
async function main(words: readonly string[]): Promise<void> {
  const name = migrationName(words.join(' '), new Date(), await migrationNames(migrations))
  const script = await differenceOfMigrated(await readFile(schemaFile, 'utf8'))
  if (script === '') {
    console.log('schema and functions agree with the migrations: there is nothing to write')
    return
  }
  await mkdir(path.join(migrations, name))
  await writeFile(path.join(migrations, name, 'migration.sql'), `${HEADER}\n${script}`)
  console.log(`wrote prisma/migrations/${name}/migration.sql: review it and run npm test`)
}

/** Compares schema and functions with a new database that has only the committed migrations. */
async function differenceOfMigrated(schema: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-migration-'))
  const server = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }) })
  try {
    await migrate(server.url, migrations)
    const tables = await schemaDifference(server.url, schema)
    await runScript(server.url, tables)
    const changed = await functionDifference(server.url, await readFunctionFiles(functions))
    return [tables, changed].filter((script) => script !== '').join('\n')
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Functions may use the types of new tables. */
async function runScript(url: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(script)
  } finally {
    await client.end()
  }
}

await main(process.argv.slice(2))
