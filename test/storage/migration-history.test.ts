import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/lib/package-version.ts'
import { migrate, migrationNames } from '../../src/store/database/migrate.ts'
import { startProgram } from '../process/program.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

describe.each(serverNames())('a migrated database on %s', (server) => {
  let database: TestDatabase
  let pool: pg.Pool
  let directory: string
  beforeEach(async () => {
    database = await createTestDatabase(server, { template: null })
    pool = new pg.Pool({ connectionString: database.url }).on('error', () => undefined)
    directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-history-'))
    await write('1_first', 'create table one (id integer);\n-- end\n')
    await write('2_second', 'create table two (id integer)')
    await migrate(database.url, directory)
  })
  afterEach(async () => {
    await pool.end()
    await database[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  async function write(name: string, script: string): Promise<void> {
    await mkdir(path.join(directory, name), { recursive: true })
    await writeFile(path.join(directory, name, 'migration.sql'), script)
  }

  it('rejects a build without one of its migrations, and names both versions', async () => {
    await rm(path.join(directory, '2_second'), { recursive: true })
    await expect(migrate(database.url, directory)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message:
        'the schema of the database is newer than this build: the newest migration of Flotilla ' +
        `${packageVersion()} is 1_first, and the database has 2_second. Start a version of ` +
        'Flotilla that includes it, or restore a backup that was made before it',
    })
  })

  it('applies no missing migration of a build that it rejects', async () => {
    await rm(path.join(directory, '2_second'), { recursive: true })
    await write('1_third', 'create table three (id integer)')
    await expect(migrate(database.url, directory)).rejects.toThrow('the database has 2_second')
    const { rows } = await pool.query(`select to_regclass('three') as found`)
    expect(rows).toEqual([{ found: null }])
  })

  it.each([
    ['-- Older servers: may run beside this schema.\nselect 1', true],
    ['-- Older servers: may run from 20260101000000_known, which does not use it.\nselect 1', true],
    ['-- Older servers: may run from 30000101000000_later.\nselect 1', false],
    ['-- Older servers: must stop.\nselect 1', false],
    ['select 1', false],
  ])('decides by its first line whether an older build may run: %s', async (script, mayRun) => {
    await write('20260101000000_known', 'select 1')
    await migrate(database.url, directory)
    await write('20280101000000_future', script)
    expect(await migrate(database.url, directory)).toEqual(['20280101000000_future'])
    await rm(path.join(directory, '20280101000000_future'), { recursive: true })
    const newer: string[] = []
    const started = migrate(database.url, directory, {
      onNewer: (names) => void newer.push(...names),
    })
    if (mayRun) {
      expect(await started).toEqual([])
      expect(newer).toEqual(['20280101000000_future'])
    } else await expect(started).rejects.toThrow('the database has 20280101000000_future')
  })

  it('rejects an older build if one of several newer migrations forbids it', async () => {
    await write('3_third', '-- Older servers: must stop.\nselect 1')
    await write('4_fourth', '-- Older servers: may run.\nselect 1')
    await migrate(database.url, directory)
    for (const name of ['3_third', '4_fourth']) {
      await rm(path.join(directory, name), { recursive: true })
    }
    await expect(migrate(database.url, directory)).rejects.toThrow('the database has 3_third')
  })

  it('rejects a build that has changed the text of an applied migration', async () => {
    await write('1_first', 'create table one (id integer);\n-- The end\n')
    await expect(migrate(database.url, directory)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message:
        `Flotilla ${packageVersion()} has other scripts than those that the database was ` +
        'migrated with: 1_first. Restore the original migration.sql in prisma/migrations, or ' +
        'start the version of Flotilla that applied it',
    })
  })

  it('accepts a checkout with other line endings, as Prisma does', async () => {
    await write('1_first', 'create table one (id integer);\r\n-- end\r\n')
    expect(await migrate(database.url, directory)).toEqual([])
  })

  it('accepts the reverse change of line endings', async () => {
    await write('3_third', 'create table three (id integer);\r\n-- end\r\n')
    await migrate(database.url, directory)
    await write('3_third', 'create table three (id integer);\n-- end\n')
    expect(await migrate(database.url, directory)).toEqual([])
  })

  it('ignores migrations that were rolled back or did not finish', async () => {
    await pool.query(`
      insert into _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
      values ('a', '', '3_rolled_back', now(), now()), ('b', '', '3_unfinished', null, null)`)
    expect(await migrate(database.url, directory)).toEqual([])
  })
})

describe('a server on a newer schema', () => {
  it('exits with code 1, and prints both versions without a stack', async () => {
    await using database = await createTestDatabase()
    const pool = new pg.Pool({ connectionString: database.url })
    await pool.query(`
      insert into _prisma_migrations (id, checksum, migration_name, finished_at)
      values ('future', '', '29990101000000_future', now())`)
    await pool.end()
    const newest = (await migrationNames(MIGRATIONS)).at(-1)
    const program = startProgram({ DATABASE_URL: database.url })
    expect(await program.exited).toBe(1)
    expect(program.errors()).toBe(
      'the schema of the database is newer than this build: the newest migration of Flotilla ' +
        `${packageVersion()} is ${newest}, and the database has 29990101000000_future. Start a ` +
        'version of Flotilla that includes it, or restore a backup that was made before it\n',
    )
  })
})

describe('every migration', () => {
  it('states whether older servers may run beside it', async () => {
    const readme = await readFile(path.join(MIGRATIONS, 'README.md'), 'utf8')
    const silent: string[] = []
    for (const name of await migrationNames(MIGRATIONS)) {
      const script = await readFile(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8')
      const inScript = /^-- Older servers: (may run|must stop)\b/.test(script)
      const inTable = new RegExp(`^\\| \`${name}\` +\\| (may run|must stop) +\\| \\S`, 'm')
      if (!inScript && !inTable.test(readme)) silent.push(name)
    }
    expect(silent).toEqual([])
  })
})
