import { findPgbench } from '../baselines/find-pgbench.ts'
import { type BareServer, startBareServer } from '../baselines/start-bare-server.ts'
import type { Options } from '../command/options.ts'
import type { Dataset } from '../data/dataset.ts'
import { type Generator, startGenerator } from '../generator/generator.ts'
import { describeMachine } from '../measure/machine.ts'
import type { Results } from '../results/results.ts'
import { type Checkout, checkoutSource } from '../servers/checkout-source.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { openPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import type { ServerSource } from '../servers/server-under-test.ts'

/** The equipment that all scenarios share, and the results that they add to. */
export interface Bench extends AsyncDisposable {
  readonly options: Options
  readonly generator: Generator
  readonly bare: BareServer
  readonly postgres: PostgresServer
  /** This checkout first, then `--against`. */
  readonly sources: readonly ServerSource[]
  /** The path of pgbench, or null if it is not installed. */
  readonly pgbench: string | null
  readonly results: Results
}

export async function openBench(options: Options, command: readonly string[]): Promise<Bench> {
  // Reads the load average before the benchmark's own processes raise it.
  const machine = describeMachine()
  const { comparison, env } = options
  const checkouts: readonly Checkout[] = [
    { name: 'flotilla', root: ROOT, env },
    ...(comparison ? [{ ...comparison, name: 'against' } as const] : []),
  ]
  for (const { root } of checkouts) await buildCheckout(root)
  const postgres = await openPostgresServer()
  const generator = await startGenerator()
  const bare = await startBareServer()
  return {
    options,
    generator,
    bare,
    postgres,
    sources: checkouts.map((checkout) => checkoutSource(checkout, postgres)),
    pgbench: findPgbench(),
    results: {
      startedAt: new Date().toISOString(),
      machine,
      postgres: postgres.version,
      command,
      measurements: [],
      facts: [],
      omissions: [],
    },
    [Symbol.asyncDispose]: async () => {
      await generator[Symbol.asyncDispose]()
      await bare[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

/** The dataset of most scenarios. */
export function standardDataset({ seed, rows, specBytes }: Options): Dataset {
  return { seed, rows, specBytes, reports: true, nodePoolsPerCluster: 0 }
}
