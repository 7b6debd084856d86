import pg from 'pg'
import path from 'node:path'
import { migrate } from '../../src/core/storage/database/migrate.ts'
import type { Dataset } from '../data/dataset.ts'
import { seedDatabase } from '../data/seed-database.ts'
import { seedOverHttp } from '../data/seed-over-http.ts'
import { ArgumentError, type Options } from './options.ts'
import { ROOT } from '../servers/root.ts'

/** Fills the database that DATABASE_URL names, or a server over HTTP, and says how long it took. */
export async function seed(options: Options): Promise<void> {
  const { given, headers, rows, specBytes, reports, nodePools: nodePoolsPerCluster } = options
  const dataset: Dataset = { seed: options.seed, rows, specBytes, reports, nodePoolsPerCluster }
  const start = performance.now()
  if (given === null) await seedGivenDatabase(dataset)
  else await seedOverHttp({ origin: given.origin, headers }, dataset)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${rows} clusters in ${seconds} s`)
}

async function seedGivenDatabase(dataset: Dataset): Promise<void> {
  const url = process.env['DATABASE_URL'] ?? ''
  if (url === '') {
    throw new ArgumentError('seed: set DATABASE_URL to the database to fill, or give --url')
  }
  await migrate(url, path.join(ROOT, 'prisma/migrations'))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await seedDatabase(client, dataset)
  } finally {
    await client.end()
  }
}
