import { parseArgs } from 'node:util'
import { createLifecycle } from '../../src/lib/async/lifecycle.ts'
import { must } from '../../src/lib/assert.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { ratioOf, shownSpread, spreadOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout, startFlotillaServer } from '../servers/flotilla-server.ts'
import { connectClient } from '../servers/http-client.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { sendAll } from '../servers/send-all.ts'
import { prepareLoads, type Send } from './loads.ts'

interface Subject {
  readonly workers: number
  readonly pid: number
  readonly loads: Readonly<Record<string, Send>>
}

/** A sample: CPU time of all processes of the server per request in microseconds, and requests per second. */
interface Sample {
  readonly cpu: number
  readonly rate: number
}

/**
 * Measures requests to servers with different numbers of workers, in turns. The CPU
 * time of a request shows what more cores would serve: rates on a machine whose cores are busy with
 * the load generator and PostgreSQL do not.
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
    },
  })
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  await using lifecycle = createLifecycle((_name, error) => console.error(error))
  const connections = Number(values.connections)
  const subjects: Subject[] = []
  for (const workers of values.workers.split(',').map(Number)) {
    const env = { LOG_LEVEL: 'warn', WORKERS: String(workers) }
    // Servers of one database share the work in the background.
    const databaseUrl = await postgres.create()
    const server = await startFlotillaServer({ root: ROOT, databaseUrl, env, fromSource: false })
    lifecycle.onClose('server', () => server[Symbol.asyncDispose]())
    const client = connectClient(server.origin, connections)
    lifecycle.onClose('client', () => client[Symbol.asyncDispose]())
    subjects.push({ workers, pid: server.pid, loads: await prepareLoads(client) })
  }
  const rows: string[][] = []
  const names = Object.keys(must(subjects[0], 'a server').loads)
  for (const name of names.filter((each) => each.includes(values.only))) {
    const samples = new Map<number, Sample[]>(subjects.map(({ workers }) => [workers, []]))
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const { workers, pid, loads } of round % 2 === 0 ? subjects : subjects.toReversed()) {
        const sample = await measure(pid, Number(values.requests), (count) =>
          sendAll({ count, connections }, (index) => must(loads[name], name)(`${round}`, index)),
        )
        // The first round compiles the code of each process.
        if (round > 0) samples.get(workers)?.push(sample)
      }
    }
    rows.push(...rowsOf(name, samples))
    console.error(`${name}: done`)
  }
  const header = ['Load', 'Workers', 'CPU us per request', 'Ratio', 'Requests/s', 'Ratio']
  console.log(markdownTable(header, rows))
}

async function measure(
  pid: number,
  count: number,
  run: (count: number) => Promise<void>,
): Promise<Sample> {
  const [cpu, start] = [cpuSeconds(pid) ?? 0, performance.now()]
  await run(count)
  const seconds = (performance.now() - start) / 1000
  return { cpu: (((cpuSeconds(pid) ?? 0) - cpu) * 1e6) / count, rate: count / seconds }
}

/** Compares with the first number of workers. */
function rowsOf(name: string, samples: ReadonlyMap<number, readonly Sample[]>): string[][] {
  const [base = []] = samples.values()
  return Array.from(samples, ([workers, all]) => {
    const shownOf = (value: (sample: Sample) => number): readonly [string, string] => [
      shownSpread(spreadOf(all.map(value)), 0),
      shownSpread(ratioOf(all.map(value), base.map(value)), 2),
    ]
    return [name, String(workers), ...shownOf(({ cpu }) => cpu), ...shownOf(({ rate }) => rate)]
  })
}
