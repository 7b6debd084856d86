import pg from 'pg'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { serverProgram } from '../../support/server-program.ts'
import { urlOf } from '../../support/test-database.ts'
import { type Program, startNode } from '../../process/program.ts'
import { migrateDatabase } from './migrate-database.ts'
import { saveShard } from '../../../src/shards/storage/directory.ts'
import { freePort } from '../../support/free-port.ts'

export const SHARD_NAMES = ['a', 'b', 'c', 'd'] as const

/** One shard: a database with one server. */
export interface DrilledShard {
  readonly name: string
  readonly origin: string
  readonly databaseUrl: string
  readonly program: Program
}

/** Shards on one machine. */
export interface ShardedServers extends AsyncDisposable {
  readonly shards: readonly DrilledShard[]
  readonly directoryUrl: string
  /** Runs `flotilla shards` with these arguments. */
  command(words: readonly string[]): Program
}

const SETTINGS = {
  SHARD_KEY: 'a-key-that-all-shards-share',
  TRUSTED_PROXIES: '127.0.0.1,::1',
  TENANT_HEADERS: 'org=X-Tenant-Org',
  HYPERFLEET_CLUSTER_ADAPTERS: '[]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
  WATCHES: 'heartbeat=1s',
  DATABASE_OPTIONS: 'pool-size=8',
  LOG_LEVEL: 'warn',
}

interface ShardOptions {
  readonly names?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** Starts shards and a directory, as databases of one PostgreSQL. There are four by default. */
export async function startShardedServers(
  postgresUrl: string,
  { names = SHARD_NAMES, env: more = {} }: ShardOptions = {},
): Promise<ShardedServers> {
  const directoryUrl = await createDatabase(postgresUrl, 'directory')
  await migrateDatabase(directoryUrl)
  const env = { ...SETTINGS, ...more, SHARD_DIRECTORY_URL: directoryUrl }
  await using directory = openTestDatabase(directoryUrl)
  const shards: DrilledShard[] = []
  for (const name of names) {
    const databaseUrl = await createDatabase(postgresUrl, `shard_${name}`)
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    await saveShard(directory, { name, database: databaseUrl, servers: [origin] })
    const program = startNode(serverProgram(), {
      ...env,
      LOG_LEVEL: 'info',
      DATABASE_URL: databaseUrl,
      SHARD: `name=${name}`,
      PORT: port,
    })
    await program.ready()
    shards.push({ name, origin, databaseUrl, program })
  }
  return {
    shards,
    directoryUrl,
    command: (words) => startNode([...serverProgram(), 'shards', ...words], env),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(shards.map(({ program }) => program[Symbol.asyncDispose]()))
    },
  }
}

async function createDatabase(postgresUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return urlOf(postgresUrl, name)
}
