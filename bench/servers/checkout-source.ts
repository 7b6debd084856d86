import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Dataset } from '../data/dataset.ts'
import type { ServerSetup, ServerUnderTest, ServerName, ServerSource } from './server-under-test.ts'
import { startFlotillaServer } from './flotilla-server.ts'
import { databaseOf, type PostgresServer } from './postgres-server.ts'

/** A checkout of this repository, and the settings of its servers. */
export interface Checkout {
  readonly name: ServerName
  readonly root: string
  readonly env: Readonly<Record<string, string>>
}

/** Larger datasets are seeded each time, because the disk may not hold a template and a copy. */
const MAX_COPIED_ROWS = 200_000

/** Starts servers of a checkout of this repository, each with its own copy of the dataset. */
export function checkoutSource(checkout: Checkout, postgres: PostgresServer): ServerSource {
  const templates = new Map<string, Promise<string>>()
  const make = async (dataset: Dataset): Promise<string> => {
    const url = await postgres.create()
    await seedIn(checkout.root, url, dataset)
    return url
  }
  const copy = async (dataset: Dataset): Promise<string> => {
    const key = JSON.stringify(dataset)
    const template = templates.get(key) ?? make(dataset)
    templates.set(key, template)
    return postgres.create(await template)
  }
  return {
    name: checkout.name,
    start: async (setup) => {
      const { dataset, once = dataset.rows > MAX_COPIED_ROWS } = setup
      const databaseUrl = once ? await make(dataset) : await copy(dataset)
      return serve({ checkout, postgres, databaseUrl, setup })
    },
  }
}

interface ServeOptions {
  readonly checkout: Checkout
  readonly postgres: PostgresServer
  readonly databaseUrl: string
  readonly setup: ServerSetup
}

async function serve(options: ServeOptions): Promise<ServerUnderTest> {
  const { checkout, postgres, databaseUrl, setup } = options
  const { dataset, prepare = [] } = setup
  const named = (text: string): string => text.replaceAll(':database', databaseOf(databaseUrl))
  for (const statement of prepare) await postgres.run(databaseUrl, named(statement))
  const env = Object.entries({ ...setup.env, ...checkout.env })
  const server = await startFlotillaServer({
    ...checkout,
    env: Object.fromEntries(env.map(([name, value]) => [name, named(value)])),
    databaseUrl,
  })
  return {
    name: checkout.name,
    databaseUrl,
    target: {
      origin: server.origin,
      pid: server.pid,
      postgresPid: postgres.pid,
      dataset,
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await setup.finish?.((statement) => postgres.run(databaseUrl, statement))
      await postgres.drop(databaseUrl)
    },
  }
}

/** Runs the seed command of the checkout itself, because its tables may differ. */
async function seedIn(root: string, databaseUrl: string, dataset: Dataset): Promise<void> {
  const args = [
    `--rows=${dataset.rows}`,
    `--seed=${dataset.seed}`,
    `--spec-bytes=${dataset.specBytes.join('-')}`,
    `--node-pools=${dataset.nodePoolsPerCluster}`,
    ...(dataset.reports ? [] : ['--without-reports']),
  ]
  const { PATH, HOME } = process.env
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'bench/main.ts', 'seed', ...args],
    { cwd: root, env: { PATH, HOME, DATABASE_URL: databaseUrl } },
  )
}
