import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import type { Results } from '../../bench/results/results.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TINY = '--quick --rows 60 --rounds 2 --seconds 0.2 --connections 2'.split(' ')

/** Runs the suite on the PostgreSQL server of the tests. */
async function bench(args: readonly string[]): Promise<{ output: string; results: Results }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-bench-test-'))
  const json = path.join(directory, 'results.json')
  const program = ['--import', 'tsx', 'bench/main.ts', ...TINY, ...args, '--json', json]
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, DATABASE_URL: inject('servers')['embedded'] }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT, env })
    return { output: stdout, results: JSON.parse(await readFile(json, 'utf8')) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

it('measures a server with its baselines and drops its databases', async () => {
  const { output, results } = await bench(['get'])
  const byName = new Map(results.measurements.map((one) => [one.subject, one]))
  for (const name of ['flotilla', 'bare'] as const) {
    expect(byName.get(name)?.samples).toHaveLength(2)
    for (const run of byName.get(name)?.samples ?? []) {
      expect(run.requests).toBeGreaterThan(0)
      if (process.platform === 'linux') expect(run.serverCpu).toBeGreaterThan(1)
    }
  }
  expect(byName.has('pgbench') || results.omissions.some(({ what }) => what === 'pgbench')).toBe(
    true,
  )
  expect(output).toContain('| get | 2 | flotilla |')
  expect(output).toContain('API CPU / bare node:http')
  const client = new pg.Client({ connectionString: inject('servers')['embedded'] })
  await client.connect()
  const left = await client.query(`select 1 from pg_database where datname like 'flotilla_bench%'`)
  await client.end()
  expect(left.rowCount).toBe(0)
})

it('sends the operations of a fleet', async () => {
  const { results } = await bench(['mixed', '--seconds', '1.5'])
  const [measurement] = results.measurements
  const sent = measurement?.samples.flatMap(({ operations }) =>
    operations.map((one) => one.operation),
  )
  // On a busy machine, rare ones may not come in this time.
  const frequent = ['report-same', 'report-node-pool', 'get', 'get-node-pool']
  expect(sent).toEqual(expect.arrayContaining(frequent))
})

it('measures sandboxes that are suspended at the same time', async () => {
  const { results } = await bench(['sandboxes', '--only', 'crowd'])
  const names = results.facts.map(({ name }) => name)
  expect(names).toContain('suspend of 10 sandboxes at the same time')
  expect(names).toContain('read of the same caller, idle, p99')
  expect(names).toContain('read of another caller, while 10 sandboxes are suspended, p99')
})

it('measures fleets that shrink and grow', async () => {
  const { results } = await bench(['fleets', '--only', 'scale'])
  const times = results.facts.filter(({ unit }) => unit === 'ms')
  expect(times.map(({ name }) => name)).toEqual([
    'from 100 to 10 members',
    'from 10 to 100 members',
  ])
})
