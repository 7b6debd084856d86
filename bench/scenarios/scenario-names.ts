/** Summaries for `--help`, in the order in which `all` runs the scenarios. */
export const SCENARIO_SUMMARIES = {
  get: 'a cluster by its id',
  list: 'pages of 10, 20 and 100; the first and the hundredth',
  'list-1k': 'a page of 20 and a get, both with specs of 1 KB',
  snapshot: 'a cluster with 3 node pools and 11 reports, from memory',
  search: 'seven forms of search, each selective and broad',
  create: 'new clusters',
  'report-new': 'first reports on clusters without any',
  'report-same': 'heartbeats: reports that change only times',
  'report-flip': 'reports that change conditions',
  mixed: 'the requests of the adapters and users of a fleet',
  paced: 'heartbeats for every cluster every 30 s, at a fixed rate',
  durable: 'heartbeats with a disk flush of 2 ms or more',
  memory: 'resident memory under sustained load and with large bodies',
  growth: 'cost per request from 1 000 to 1 000 000 clusters',
  watch: '1 000 watches: idle, one change for all, and 200 writes a second',
  planes: 'objects of planes, with the cluster routes in the same rounds',
  fleets: 'fleets of up to 10 000 members: create, scale, claim, delete, idle',
  sandboxes: 'suspend and resume by strategy and size, and 200 suspensions at the same time',
  seed: 'no measurement: fill the database at DATABASE_URL',
  all: 'all of these; without growth if --quick is set',
} as const

export type ScenarioName = keyof typeof SCENARIO_SUMMARIES

export const SCENARIO_NAMES = Object.keys(SCENARIO_SUMMARIES) as readonly ScenarioName[]
