import pg from 'pg'
import type { Config } from '../../src/cmd/config.ts'
import type { Kind } from '../../src/store/registry/kind.ts'
import { kinds as builtInKinds } from '../../src/hyperfleet/kinds/index.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** Two servers on one database, so that queues within one process do not order their writes. */
export interface Pair extends AsyncDisposable {
  readonly servers: readonly [TestServer, TestServer]
  /** Alternates between the servers. */
  at(index: number): TestServer
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
}

/** Starts both, with the same settings. */
export async function startPair(
  env: NodeJS.ProcessEnv = {},
  kinds: readonly Kind[] = builtInKinds,
  config: Partial<Config> = {},
): Promise<Pair> {
  const database: TestDatabase = await createTestDatabase()
  const options = { databaseUrl: database.url, env, kinds, config }
  const servers = await Promise.all([startTestServer(options), startTestServer(options)])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return {
    servers,
    at: (index) => servers[index % 2 === 0 ? 0 : 1],
    query: (text, values) => client.query(text, values),
    [Symbol.asyncDispose]: async () => {
      await client.end()
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
      await database[Symbol.asyncDispose]()
    },
  }
}
