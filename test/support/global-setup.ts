import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import {
  type DebianCluster,
  initializeDebianCluster,
  startDebianPostgres,
} from '../storage/debian-postgres.ts'
import { createCachedCluster } from './cached-cluster.ts'
import { createDatabaseDirectory } from './database-directory.ts'
import { compileServerProgram, isServerCompiled } from './server-program.ts'
import { DATABASE_PREFIX, TEMPLATE, urlOf } from './test-database.ts'

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
  project.onTestsRerun(compileServerProgram)
  const [embedded, second] = await Promise.all([
    startEmbedded(),
    startSecond(),
    isServerCompiled() ? null : compileServerProgram(),
  ])
  project.provide('servers', {
    embedded: embedded.url,
    ...(second !== null && { second: second.url }),
  })
  return async () => {
    await embedded.stop()
    await second?.stop()
  }
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

async function startEmbedded(): Promise<Server> {
  const dataDir = await createDatabaseDirectory('flotilla-test-')
  const start = () => startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  await createCachedCluster({
    name: 'embedded database',
    directory: dataDir,
    create: async () => {
      await using server = await start()
      await createTemplate(server.url)
      await weakenPassword(server.url)
      await trustTestDatabases(dataDir)
    },
  })
  const { url, stop } = await start()
  await openTemplate(url)
  return {
    url,
    stop: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The first session in a database writes a file for later ones. Copies of the template contain it: five
 * sessions in a new database take 22 ms of processor time instead of 28.
 */
async function openTemplate(server: string): Promise<void> {
  const session = new pg.Client({ connectionString: urlOf(server, TEMPLATE) })
  await session.connect()
  await session.end()
}

async function startSecond(): Promise<Server | null> {
  const url = process.env['TEST_DATABASE_URL'] ?? ''
  if (url === '') return startDebianPostgres(fillDebianCluster)
  await createTemplate(url)
  return { url, stop: () => Promise.resolve() }
}

async function fillDebianCluster(cluster: DebianCluster): Promise<void> {
  await createCachedCluster({
    name: 'second database',
    directory: cluster.directory,
    create: async () => {
      await initializeDebianCluster(cluster)
      const server = await cluster.start('data')
      await createTemplate(server.url)
      await server.stop()
    },
  })
}

/**
 * Stores the password with one iteration of its hash instead of 4096. A run opens many
 * connections, and each costs 2 ms of processor time instead of 7.
 */
async function weakenPassword(server: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query('set scram_iterations = 1')
  const password = admin.escapeLiteral(decodeURIComponent(new URL(server).password))
  await admin.query(`alter role current_user password ${password}`)
  await admin.end()
}

/** Sessions in the databases of tests cost 3 ms of processor time less without a password. */
async function trustTestDatabases(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postgres', 'pg_hba.conf')
  const rules = await readFile(file, 'utf8')
  await writeFile(file, `local "/^${DATABASE_PREFIX}" flotilla trust\n${rules}`)
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
