import type { Dataset } from '../data/dataset.ts'
import { migrateAndSeed } from '../data/migrate-and-seed.ts'
import { ArgumentError, type Options } from './options.ts'

/** Seeds the database at DATABASE_URL, and prints the time taken. */
export async function seed(options: Options): Promise<void> {
  const { rows, specBytes, reports, nodePools: nodePoolsPerCluster } = options
  const dataset: Dataset = { seed: options.seed, rows, specBytes, reports, nodePoolsPerCluster }
  const start = performance.now()
  await migrateAndSeed(givenDatabase(), dataset)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${rows} clusters in ${seconds} s`)
}

function givenDatabase(): string {
  const url = process.env['DATABASE_URL'] ?? ''
  if (url !== '') return url
  throw new ArgumentError('seed: set DATABASE_URL to the database to fill')
}
