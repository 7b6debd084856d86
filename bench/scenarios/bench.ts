import type { Dataset } from '../data/dataset.ts'
import { findPgbench } from '../floors/find-pgbench.ts'
import { type Generator, startGenerator } from '../generator/generator.ts'
import { describeMachine } from '../measure/machine.ts'
import type { Options } from '../command/options.ts'
import type { Results } from '../results/results.ts'
import { type BareServer, startBareServer } from '../servers/bare.ts'
import { checkoutSource } from '../servers/checkout-source.ts'
import type { ContenderSource } from '../servers/contender.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { givenSource } from '../servers/given-source.ts'
import { openPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'

/** What all scenarios measure with, and where they put what they find. */
export interface Bench extends AsyncDisposable {
  readonly options: Options
  readonly generator: Generator
  readonly bare: BareServer
  /** Null where only servers of others are measured. */
  readonly postgres: PostgresServer | null
  /** This Flotilla first. */
  readonly sources: readonly ContenderSource[]
  /** The path of pgbench, null where it is missing. */
  readonly pgbench: string | null
  readonly results: Results
}

export async function openBench(options: Options, command: readonly string[]): Promise<Bench> {
  const needsPostgres = options.given === null || options.rival?.checkout !== undefined
  // Described before anything of ours keeps the machine busy.
  const machine = describeMachine()
  const postgres = needsPostgres ? await openPostgresServer() : null
  const generator = await startGenerator()
  const bare = await startBareServer()
  return {
    options,
    generator,
    bare,
    postgres,
    sources: await openSources(options, postgres),
    pgbench: findPgbench(),
    results: {
      startedAt: new Date().toISOString(),
      machine,
      postgres: postgres?.version ?? 'of the measured server',
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

async function openSources(
  { given, rival, env, headers, fromSource }: Options,
  postgres: PostgresServer | null,
): Promise<readonly ContenderSource[]> {
  const sources: ContenderSource[] = []
  if (given !== null) sources.push(givenSource('flotilla', given, headers))
  else if (postgres !== null) {
    if (!fromSource) await buildCheckout(ROOT)
    const checkout = { name: 'flotilla', root: ROOT, env, fromSource, headers } as const
    sources.push(checkoutSource(checkout, postgres))
  }
  if (rival?.server !== undefined) sources.push(givenSource('against', rival.server, headers))
  else if (rival !== null && postgres !== null) {
    const { checkout: root, env: rivalEnv } = rival
    if (!fromSource) await buildCheckout(root)
    const checkout = { name: 'against', root, env: rivalEnv, fromSource, headers } as const
    sources.push(checkoutSource(checkout, postgres))
  }
  return sources
}

/** The dataset that most scenarios begin with. */
export function standardDataset({ seed, rows, specBytes }: Options): Dataset {
  return { seed, rows, specBytes, reports: true, nodePoolsPerCluster: 0 }
}
