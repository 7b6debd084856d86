import { parseArgs } from 'node:util'
import { createLifecycle } from '../../src/lib/async/lifecycle.ts'
import { must } from '../../src/lib/assert.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { intervalOfRatio, ratioOf, shownSpread, spreadOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout, startFlotillaServer } from '../servers/flotilla-server.ts'
import { type Client, connectClient } from '../servers/http-client.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { sendAll } from '../servers/send-all.ts'
import { prepareLoads, type Send } from './loads.ts'

interface Checkout {
  readonly name: string
  readonly root: string
  /** Settings of its server. */
  readonly env: Readonly<Record<string, string>>
}

interface Subject {
  readonly name: string
  readonly pid: number
  readonly loads: Readonly<Record<string, Send>>
}

/** CPU time per request in microseconds of all processes of the server and of PostgreSQL, and requests per second. */
interface Sample {
  readonly server: number
  readonly database: number
  readonly rate: number
}

/**
 * Measures requests to servers with different numbers of workers, or of this checkout and of
 * another one (`--against`), in turns. The CPU time of a request shows what more cores would serve:
 * rates on a machine whose cores are busy with the load generator and PostgreSQL do not.
 */
export async function measureCores(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '10000' },
      workers: { type: 'string', default: '0,1,2' },
      connections: { type: 'string', default: '16' },
      only: { type: 'string', default: '' },
      against: { type: 'string' },
    },
  })
  const checkouts = checkoutsOf(values.workers.split(','), values.against)
  for (const root of new Set(checkouts.map((each) => each.root))) await buildCheckout(root)
  await using postgres = await openPostgresServer()
  await using lifecycle = createLifecycle((_name, error) => console.error(error))
  const connections = Number(values.connections)
  const subjects: Subject[] = []
  for (const checkout of checkouts) {
    // Servers of one database share the work in the background.
    const databaseUrl = await postgres.create()
    const server = await startFlotillaServer({ ...checkout, databaseUrl })
    lifecycle.onClose('server', () => server[Symbol.asyncDispose]())
    const connect = (type: string): Client => {
      const client = connectClient(server.origin, connections, { type })
      lifecycle.onClose('client', () => client[Symbol.asyncDispose]())
      return client
    }
    const loads = await prepareLoads({
      json: connect('application/json'),
      mergePatch: connect('application/merge-patch+json'),
      apply: connect('application/apply-patch+yaml'),
    })
    subjects.push({ name: checkout.name, pid: server.pid, loads })
  }
  const [rounds, requests] = [Number(values.rounds), Number(values.requests)]
  const texts = values.only.split(',')
  const rows: string[][] = []
  for (const name of Object.keys(must(subjects[0], 'a server').loads)) {
    if (!texts.some((text) => name.includes(text))) continue
    const samples = await measureRounds(subjects, rounds, ({ pid, loads }, round) =>
      measure({ server: pid, database: postgres.pid }, requests, (count) =>
        sendAll({ count, connections }, (index) => must(loads[name], name)(`${round}`, index)),
      ),
    )
    rows.push(...rowsOf(name, samples))
    console.error(`${name}: done`)
  }
  console.log(markdownTable(HEADER, rows))
}

/** Measures the subjects in turns. The first round compiles the code of each process. */
async function measureRounds(
  subjects: readonly Subject[],
  rounds: number,
  sample: (subject: Subject, round: number) => Promise<Sample>,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const measured = await sample(subject, round)
      if (round > 0) samples.get(subject.name)?.push(measured)
    }
  }
  return samples
}

/** The servers to compare. The first one is the base of the ratios. */
function checkoutsOf(workers: readonly string[], against: string | undefined): readonly Checkout[] {
  const env = { LOG_LEVEL: 'warn' }
  if (against !== undefined) {
    return [
      { name: 'against', root: against, env },
      { name: 'this checkout', root: ROOT, env },
    ]
  }
  return workers.map((count) => ({
    name: `${count} workers`,
    root: ROOT,
    env: { ...env, WORKERS: count },
  }))
}

async function measure(
  pids: { readonly server: number; readonly database: number | null },
  count: number,
  run: (count: number) => Promise<void>,
): Promise<Sample> {
  const seconds = (): readonly [number, number] => [
    cpuSeconds(pids.server) ?? 0,
    cpuSeconds(pids.database, pids.server) ?? 0,
  ]
  const [server, database] = seconds()
  const start = performance.now()
  await run(count)
  const duration = (performance.now() - start) / 1000
  const after = seconds()
  const perRequest = (cpu: number): number => (cpu * 1e6) / count
  return {
    server: perRequest(after[0] - server),
    database: perRequest(after[1] - database),
    rate: count / duration,
  }
}

const HEADER = [
  'Load',
  'Server',
  'CPU us per request',
  'Ratio',
  '95 % interval',
  'PostgreSQL us',
  'Ratio',
  '95 % interval',
  'Requests/s',
]

/** Compares with the first server. */
function rowsOf(name: string, samples: ReadonlyMap<string, readonly Sample[]>): string[][] {
  const [base = []] = samples.values()
  return Array.from(samples, ([server, all]) => {
    const figuresOf = (value: (sample: Sample) => number): readonly string[] => {
      const [own, others] = [all.map(value), base.map(value)]
      const interval = all === base ? null : intervalOfRatio(own, others)
      return [
        shownSpread(spreadOf(own), 0),
        all === base ? '' : shownSpread(ratioOf(own, others), 2),
        interval?.map((bound) => bound.toFixed(2)).join(' to ') ?? '',
      ]
    }
    const rate = shownSpread(spreadOf(all.map((sample) => sample.rate)), 0)
    const figures = [...figuresOf(({ server: cpu }) => cpu), ...figuresOf((each) => each.database)]
    return [name, server, ...figures, rate]
  })
}
