import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Dataset } from '../data/dataset.ts'
import type { Arrangement, Contender, ContenderName, ContenderSource } from './contender.ts'
import { startFlotillaServer } from './flotilla-server.ts'
import { databaseOf, type PostgresServer } from './postgres-server.ts'

interface Checkout {
  readonly name: ContenderName
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly fromSource: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** A larger dataset is made anew each time: two of it may be more than the disk holds. */
const MOST_COPIED = 200_000

/** Servers of a checkout of this repository, each on its own copy of a dataset. */
export function checkoutSource(checkout: Checkout, postgres: PostgresServer): ContenderSource {
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
    isOurs: true,
    start: async (arrangement) => {
      const { dataset, once = dataset.rows > MOST_COPIED } = arrangement
      const databaseUrl = once ? await make(dataset) : await copy(dataset)
      return serve({ checkout, postgres, databaseUrl, arrangement })
    },
  }
}

interface Serving {
  readonly checkout: Checkout
  readonly postgres: PostgresServer
  readonly databaseUrl: string
  readonly arrangement: Arrangement
}

async function serve(serving: Serving): Promise<Contender> {
  const { checkout, postgres, databaseUrl, arrangement } = serving
  const { dataset, prepare = [] } = arrangement
  for (const statement of prepare) {
    await postgres.run(databaseUrl, statement.replaceAll(':database', databaseOf(databaseUrl)))
  }
  const server = await startFlotillaServer({ ...checkout, databaseUrl })
  return {
    name: checkout.name,
    databaseUrl,
    target: {
      origin: server.origin,
      headers: checkout.headers,
      pid: server.pid,
      postgresPid: postgres.pid,
      dataset,
      ids: null,
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await arrangement.finish?.(checkout.name, (text) => postgres.run(databaseUrl, text))
      await postgres.drop(databaseUrl)
    },
  }
}

/** By the checkout's own program, which knows its own tables. */
async function seedIn(root: string, databaseUrl: string, dataset: Dataset): Promise<void> {
  const words = [
    `--rows=${dataset.rows}`,
    `--seed=${dataset.seed}`,
    `--spec-bytes=${dataset.specBytes.join('-')}`,
    `--node-pools=${dataset.nodePoolsPerCluster}`,
    ...(dataset.reports ? [] : ['--without-reports']),
  ]
  const { PATH, HOME } = process.env
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'bench/main.ts', 'seed', ...words],
    { cwd: root, env: { PATH, HOME, DATABASE_URL: databaseUrl } },
  )
}
