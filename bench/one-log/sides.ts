import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'
import { readChanges, readHead } from '../../src/store/changes/read-changes.ts'
import { sequenceChanges } from '../../src/store/changes/sequence-changes.ts'
import type { Database } from '../../src/store/database/database.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openDatabase } from '../../src/store/database/open-database.ts'
import { dropPlaneChanges } from '../../src/store/objects/storage/changes/compact-object-changes.ts'
import { readObjectChanges } from '../../src/store/objects/storage/changes/read-object-changes.ts'
import { installOneLog } from './one-log-schema.ts'
import { dropOfPlane, readOneLog } from './one-log-statements.ts'

/** Which changes the subscribers of a process want: `each` reads the one log in two statements. */
export type Part = 'resources' | 'objects' | 'every' | 'each'

/** One way to log changes, in a separate database. */
export interface Side {
  readonly database: Database
  /** Moves the changes of these writes to the log. */
  sequence(part: Part): Promise<void>
  /** Marks the end of the log, so that `read` starts there. */
  mark(): Promise<void>
  /** Reads the changes since the mark, as the broadcasters of a process do. */
  read(part: Part): Promise<number>
  dropOfPlane(plane: string, compacted: bigint): Promise<number>
}

/** Today's two logs, and one log, on one server. */
export interface Sides extends AsyncDisposable {
  readonly old: Side
  readonly new: Side
}

export async function openSides(): Promise<Sides> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }) })
  await migrate(server.url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)))
  const first = open(server.url)
  await first.pool.query('create database one_log')
  const url = server.url.replace('/flotilla?', '/one_log?')
  await migrate(url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)))
  const second = open(url)
  await installOneLog(second)
  return {
    old: twoLogs(first),
    new: oneLog(second),
    [Symbol.asyncDispose]: async () => {
      await first[Symbol.asyncDispose]()
      await second[Symbol.asyncDispose]()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function open(url: string): Database {
  return openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
}

function twoLogs(database: Database): Side {
  let mark = { resources: 0n, objects: 0n }
  return {
    database,
    sequence: async (part) => {
      if (part !== 'objects') await sequenceChanges(database, 'resources', 1000)
      if (part !== 'resources') await sequenceChanges(database, 'objects', 1000)
    },
    mark: async () => {
      const [resources, objects] = [await readHead(database), await readHead(database, 'objects')]
      mark = { resources: resources.revision, objects: objects.revision }
    },
    read: async (part) => {
      let count = 0
      if (part !== 'objects')
        count += (await readChanges(database, mark.resources, 1000)).entries.length
      const position = { after: mark.objects, limit: 1000 }
      if (part !== 'resources')
        count += (await readObjectChanges(database, position, () => null)).entries.length
      return count
    },
    dropOfPlane: (plane, compacted) => dropPlaneChanges(database, { plane, compacted }, 10_000),
  }
}

function oneLog(database: Database): Side {
  let mark = 0n
  return {
    database,
    sequence: async () => void (await sequenceChanges(database, 'resources', 1000)),
    mark: async () => void (mark = (await readHead(database)).revision),
    read: (part) => readOneLog(database, mark, part),
    dropOfPlane: (plane, compacted) => dropOfPlane(database, { plane, compacted }, 10_000),
  }
}
