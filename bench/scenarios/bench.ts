import { findPgbench } from '../baselines/find-pgbench.ts'
import { type BareServer, startBareServer } from '../baselines/start-bare-server.ts'
import type { Options } from '../command/options.ts'
import type { Dataset } from '../data/dataset.ts'
import { type Generator, startGenerator } from '../generator/generator.ts'
import { describeMachine } from '../measure/machine.ts'
import type { Results } from '../results/results.ts'
import { checkoutSource } from '../servers/checkout-source.ts'
import { externalSource } from '../servers/external-source.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { openPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import type { ServerSource } from '../servers/server-under-test.ts'

/** The equipment that all scenarios share, and the results that they add to. */
export interface Bench extends AsyncDisposable {
  readonly options: Options
  readonly generator: Generator
  readonly bare: BareServer
  /** Null if only external servers are measured. */
  readonly postgres: PostgresServer | null
  /** This checkout or `--url` first, then `--against`. */
  readonly sources: readonly ServerSource[]
  /** The path of pgbench, or null if it is not installed. */
  readonly pgbench: string | null
  readonly results: Results
}

export async function openBench(options: Options, command: readonly string[]): Promise<Bench> {
  // Reads the load average before the benchmark's own processes raise it.
  const machine = describeMachine()
  const checkouts = [options.external === null ? ROOT : null, options.comparison?.checkout ?? null]
  const roots = checkouts.filter((root) => root !== null)
  if (!options.fromSource) for (const root of roots) await buildCheckout(root)
  const postgres = roots.length > 0 ? await openPostgresServer() : null
  const generator = await startGenerator()
  const bare = await startBareServer()
  return {
    options,
    generator,
    bare,
    postgres,
    sources: openSources(options, postgres),
    pgbench: findPgbench(),
    results: {
      startedAt: new Date().toISOString(),
      machine,
      postgres: postgres?.version ?? 'PostgreSQL of the external server',
      command,
      measurements: [],
      facts: [],
      omissions: [],
    },
    [Symbol.asyncDispose]: async () => {
      await generator[Symbol.asyncDispose]()
      await bare[Symbol.asyncDispose]()
      await postgres?.[Symbol.asyncDispose]()
    },
  }
}

function openSources(
  { external, comparison, env, headers, fromSource }: Options,
  postgres: PostgresServer | null,
): readonly ServerSource[] {
  const sources: ServerSource[] = []
  if (external !== null) sources.push(externalSource('flotilla', external, headers))
  else if (postgres !== null) {
    const checkout = { name: 'flotilla', root: ROOT, env, fromSource, headers } as const
    sources.push(checkoutSource(checkout, postgres))
  }
  if (comparison?.server !== undefined) {
    sources.push(externalSource('against', comparison.server, headers))
  } else if (comparison !== null && postgres !== null) {
    const { checkout: root, env: comparisonEnv } = comparison
    const checkout = { name: 'against', root, env: comparisonEnv, fromSource, headers } as const
    sources.push(checkoutSource(checkout, postgres))
  }
  return sources
}

/** The dataset of most scenarios. */
export function standardDataset({ seed, rows, specBytes }: Options): Dataset {
  return { seed, rows, specBytes, reports: true, nodePoolsPerCluster: 0 }
}
