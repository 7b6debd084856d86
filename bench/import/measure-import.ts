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
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout } from '../servers/flotilla-server.ts'
import { openPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'

const HEAD = ['Step', 'Seconds', 'Resources/s', 'Command CPU s', 'PostgreSQL CPU s']
/** A recorded cluster with reports of four adapters, whose copies are imported. */
const COPIED = `name = 'cluster-06'`

/** A moment of the run, in seconds. */
interface Moment {
  readonly time: number
  readonly command: number
  readonly sql: number
}

/** Imports clusters with four reports each and specs of 1 KB from HyperFleet's tables. */
export async function measureImport(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: 'string', default: '100000' } },
  })
  const rows = Number(values.rows)
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const [source, target] = [await postgres.create(), await postgres.create()]
  await fillSource(source, rows)
  await migrate(target, path.join(ROOT, 'prisma/migrations'))
  const before = describeMachine()
  const moments = await runImport(postgres, { source, target })
  const { load } = describeMachine()
  console.log(`${rows} clusters with ${4 * rows} reports, specs of 1 KB`)
  console.log(`${before.cpus}, load ${before.load} before and ${load} after\n`)
  const steps = ['import', 'comparison'].map((name, at) => {
    const [from, to] = [must(moments[at], 'a start'), must(moments[at + 1], 'an end')]
    const seconds = to.time - from.time
    return [
      name,
      seconds.toFixed(1),
      String(Math.round(rows / seconds)),
      (to.command - from.command).toFixed(1),
      (to.sql - from.sql).toFixed(1),
    ]
  })
  console.log(markdownTable(HEAD, steps))
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

/** The moments of the start, the end of the import, and the end of the comparison. */
async function runImport(
  postgres: PostgresServer,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<readonly Moment[]> {
  const { PATH, HOME } = process.env
  const now = (): Moment => ({
    time: performance.now() / 1000,
    command: must(cpuSeconds(process.pid, postgres.pid), 'the CPU time of the command'),
    sql: must(cpuSeconds(postgres.pid), 'the CPU time of PostgreSQL'),
  })
  const moments = [now()]
  const args = ['dist/cmd/server.js', 'import', 'hyperfleet', '--from', source]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH, HOME, DATABASE_URL: target },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (line.startsWith('Read ')) moments.push(now())
  })
  const [code] = await once(child, 'close')
  moments.push(now())
  if (code !== 0) throw new Error(`the import failed:\n${lines.join('\n')}`)
  return moments
}
