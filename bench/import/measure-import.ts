import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { must } from '../../src/lib/assert.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import { copyResources } from '../../test/import/copy-resources.ts'
import { describeMachine } from '../measure/machine.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout, startFlotillaServer } from '../servers/flotilla-server.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'

const HEAD = ['Step', 'Seconds', 'Resources/s', 'Command', 'PostgreSQL', 'Target', 'Source']
/** A recorded cluster with reports of four adapters, whose copies are imported. */
const COPIED = `name = 'cluster-06'`

/** The processes of a run; null for those that do not exist. */
interface Processes {
  readonly postgres: number | null
  readonly target: number
  readonly source: number | null
}

/** A moment of a run: the time and the CPU time of its processes in seconds. */
interface Moment {
  readonly time: number
  readonly cpu: Readonly<Record<'command' | keyof Processes, number>>
}

/**
 * Imports clusters with four reports each and specs of 1 KB from HyperFleet's tables, while a server of the
 * target runs. With `--api`, imports them again, from the API of that server.
 */
export async function measureImport(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: 'string', default: '100000' }, api: { type: 'boolean' } },
  })
  const rows = Number(values.rows)
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const openTarget = async () => {
    const url = await postgres.create()
    await migrate(url, path.join(ROOT, 'prisma/migrations'))
    const env = { AUTH_DISABLED: 'true', LOG_LEVEL: 'error' }
    const server = await startFlotillaServer({
      root: ROOT,
      databaseUrl: url,
      env,
    })
    return { url, ...server }
  }
  const source = await postgres.create()
  await fillSource(source, rows)
  await using first = await openTarget()
  console.log(`${rows} clusters with ${4 * rows} reports, specs of 1 KB; CPU seconds by process`)
  const processes = { postgres: postgres.pid, target: first.pid, source: null }
  await printImport(rows, { from: source, target: first.url, processes })
  if (values.api !== true) return
  await using second = await openTarget()
  await printImport(rows, {
    from: first.origin,
    target: second.url,
    processes: { ...processes, target: second.pid, source: first.pid },
  })
}

async function fillSource(url: string, rows: number): Promise<void> {
  const recorded = path.join(ROOT, 'test/import/recorded/main.sql')
  await using client = await openClient(url)
  await client.query(readFileSync(recorded, 'utf8'))
  // The file empties the search path.
  await client.query(`set search_path = public;
    update resources set spec = spec || jsonb_build_object('data', repeat(md5(id), 24))`)
  await copyResources(client, { copies: rows, where: COPIED })
}

interface Run {
  readonly from: string
  readonly target: string
  readonly processes: Processes
}

async function printImport(rows: number, run: Run): Promise<void> {
  const before = describeMachine()
  const { moments, megabytes } = await runImport(run)
  const { load } = describeMachine()
  const kind = run.processes.source === null ? 'tables' : 'API'
  console.log(`\nFrom the ${kind}: ${before.cpus}, load ${before.load} before and ${load} after,`)
  console.log(`at most ${Math.round(megabytes)} MB in the command\n`)
  const steps = ['import', 'comparison'].map((name, at) => {
    const [from, to] = [must(moments[at], 'a start'), must(moments[at + 1], 'an end')]
    const seconds = to.time - from.time
    const cpu = (['command', 'postgres', 'target', 'source'] as const).map((each) =>
      (to.cpu[each] - from.cpu[each]).toFixed(1),
    )
    return [name, seconds.toFixed(1), String(Math.round(rows / seconds)), ...cpu]
  })
  console.log(markdownTable(HEAD, steps))
}

/** The moments of the start, the end of the import, and the end of the comparison. */
async function runImport({
  from,
  target,
  processes: { postgres, target: server, source },
}: Run): Promise<{ readonly moments: readonly Moment[]; readonly megabytes: number }> {
  const { PATH, HOME } = process.env
  const servers = { postgres, target: server, source }
  const now = (child: number | null): Moment => {
    const cpuOf = (pid: number | null): number => cpuSeconds(pid) ?? 0
    return {
      time: performance.now() / 1000,
      cpu: {
        command: cpuOf(child),
        postgres: cpuOf(servers.postgres),
        target: cpuOf(servers.target),
        source: cpuOf(servers.source),
      },
    }
  }
  const moments = [now(null)]
  let megabytes = 0
  const args = ['dist/cmd/server.js', 'import', 'hyperfleet', '--from', from]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH, HOME, DATABASE_URL: target },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const pid = must(child.pid, 'a process id')
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    megabytes = Math.max(megabytes, treeMegabytes('VmHWM', pid) ?? 0)
    if (line.startsWith('Read ') || line.startsWith('Compared ')) moments.push(now(pid))
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the import failed:\n${lines.join('\n')}`)
  return { moments, megabytes }
}
