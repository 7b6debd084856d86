import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'
import { migrate } from '../../src/core/storage/database/migrate.ts'
import { startDebianPostgres } from '../storage/debian-postgres.ts'
import { createDatabaseDirectory } from './database-directory.ts'
import { compileServerProgram } from './server-program.ts'
import { TEMPLATE, urlOf } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection URLs by server name: `embedded`, and `second` if one is available. */
    servers: Readonly<Record<string, string>>
  }
}

/**
 * Starts the database servers that all test files share, each with a migrated template database.
 * They are an embedded server and a second one (TEST_DATABASE_URL, else Debian's PostgreSQL 15).
 * Compiles the server that tests start as a process.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Only tests of sandboxes start their runtime.
  process.env['SANDBOX_RUNTIME'] ??= 'off'
  await compileServerProgram()
  project.onTestsRerun(compileServerProgram)
  const dataDir = await createDatabaseDirectory('flotilla-test-')
  const embedded = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  const given = process.env['TEST_DATABASE_URL'] ?? ''
  const debian = given === '' ? await startDebianPostgres() : null
  const second = given === '' ? debian?.url : given
  const servers = { embedded: embedded.url, ...(second !== undefined && { second }) }
  for (const url of Object.values(servers)) await createTemplate(url)
  project.provide('servers', servers)
  return async () => {
    await embedded.stop()
    await debian?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function createTemplate(server: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  // The databases of tests need not survive a crash of the machine.
  await admin.query('alter system set fsync = off')
  await admin.query('select pg_reload_conf()')
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
  await migrate(urlOf(server, TEMPLATE), migrations)
}
