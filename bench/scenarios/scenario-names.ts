/** What can be named on the command line, in the order in which `all` goes through it. */
export const SCENARIO_NAMES = [
  'get',
  'list',
  'list-1k',
  'snapshot',
  'search',
  'create',
  'report-new',
  'report-same',
  'report-flip',
  'mixed',
  'paced',
  'durable',
  'memory',
  'growth',
  'watch',
  'seed',
  'all',
] as const

export type ScenarioName = (typeof SCENARIO_NAMES)[number]
