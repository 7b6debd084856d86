import pg from 'pg'
import { onTestFinished } from 'vitest'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { saveShard } from '../../src/shards/storage/directory.ts'
import { TENANT_ENV } from '../auth/tenants.ts'

export const SHARD_KEY = 'a-key-that-all-shards-share'

/** One shard with one server. */
export interface TestShard {
  readonly name: string
  readonly server: TestServer
  readonly databaseUrl: string
}

/** Shards with a separate directory. */
export interface TestShards extends AsyncDisposable {
  readonly directoryUrl: string
  readonly shards: readonly TestShard[]
}

/** Starts one server for each shard, with the settings of its name. */
export async function startShards(
  names: readonly string[],
  envOf: (name: string) => NodeJS.ProcessEnv = () => ({}),
): Promise<TestShards> {
  const directory = await createTestDatabase()
  const databases = await Promise.all(names.map(() => createTestDatabase()))
  const shards: TestShard[] = []
  for (const [index, name] of names.entries()) {
    const { url } = at(databases, index)
    await register(directory.url, { name, database: url, servers: [] })
    const server = await startTestServer({
      databaseUrl: url,
      env: {
        ...TENANT_ENV,
        SHARD: `name=${name}`,
        SHARD_DIRECTORY_URL: directory.url,
        SHARD_KEY,
        ...envOf(name),
      },
    })
    await register(directory.url, { name, database: url, servers: [server.origin] })
    shards.push({ name, server, databaseUrl: url })
  }
  return {
    directoryUrl: directory.url,
    shards,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(shards.map(({ server }) => server[Symbol.asyncDispose]()))
      await Promise.all([directory, ...databases].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

function at(databases: readonly TestDatabase[], index: number): TestDatabase {
  const found = databases[index]
  if (!found) throw new Error(`no database ${index}`)
  return found
}

/** Registers a shard in the directory. */
export async function register(
  directoryUrl: string,
  shard: { name: string; database: string; servers: readonly string[] },
): Promise<void> {
  await using directory = openTestDatabase(directoryUrl)
  await saveShard(directory, shard)
}

/** Executes a statement and keeps its transaction open, at most until the test ends. */
export async function holdTransaction(
  { databaseUrl }: Pick<TestShard, 'databaseUrl'>,
  statement: string,
): Promise<{ end(): Promise<unknown>; commit(): Promise<unknown> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  await client.query('begin')
  await client.query(statement)
  return { end: () => client.query('rollback'), commit: () => client.query('commit') }
}
