import { SCENARIO_SUMMARIES } from '../scenarios/scenario-names.ts'
import { OPTIONS } from './option-table.ts'

interface Documented {
  readonly doc: string
  readonly value?: string
  readonly default?: string | boolean
}

const CHECKS = {
  webhooks: 'measure writes with webhooks, and the rate of events (--rounds, --seconds)',
  'adapter-work': 'compare leased work with polling (--quick)',
  import: 'measure the import of a HyperFleet database (--rows, --api)',
  lists:
    'measure lists of a large fleet without and with declared indexes, and the initial state of a watch (--rows, --requests, --reports)',
  fields: 'measure the size checks and the tracking of fields by keys (--rounds)',
  cores: 'measure the CPU time of requests by the number of workers (--workers, --rounds)',
  observability: 'measure the cost of traces, the slow-query log and rate limits (--rounds)',
}

/** The text of `npm run bench -- --help`. */
export function usage(): string {
  const options: readonly (readonly [string, Documented])[] = Object.entries(OPTIONS)
  return [
    'npm run bench -- <scenario> [options]',
    '',
    'Scenarios',
    ...columns(Object.entries(SCENARIO_SUMMARIES)),
    '',
    'Checks',
    ...columns(Object.entries(CHECKS)),
    '',
    'Options',
    ...columns(
      options.map(([name, option]) => [`--${name} ${option.value ?? ''}`, describe(option)]),
    ),
    '',
    'DATABASE_URL names the PostgreSQL server to use; without it an embedded one is started.',
    'bench/README.md describes the method.',
  ].join('\n')
}

function describe({ doc, default: value }: Documented): string {
  return typeof value === 'string' ? `${doc} (default ${value})` : doc
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}
