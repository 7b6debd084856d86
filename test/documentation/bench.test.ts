import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { clusterOf, clusterState, teamOf } from '../../bench/data/cluster.ts'
import type { Dataset } from '../../bench/data/dataset.ts'
import { SEARCH_FORMS, SEARCHES } from '../../bench/data/searches.ts'
import { seedDatabase } from '../../bench/data/seed-database.ts'
import { seededRandom } from '../../bench/data/seeded-random.ts'
import { baselineScript } from '../../bench/baselines/baseline-scripts.ts'
import { pgbenchScript } from '../../bench/baselines/pgbench-script.ts'
import { createHistogram } from '../../bench/generator/histogram.ts'
import { mixedSource } from '../../bench/generator/mixed-source.ts'
import type { Operation } from '../../bench/generator/operation.ts'
import { createResponseParser, type ParsedResponse } from '../../bench/generator/response-parser.ts'
import { runLoad } from '../../bench/generator/run-load.ts'
import { memoryTrend } from '../../bench/measure/memory-trend.ts'
import { cpuSeconds } from '../../bench/measure/process-cpu.ts'
import { intervalOfRatio, ratioOf, spreadOf } from '../../bench/measure/statistics.ts'
import { OPTIONS } from '../../bench/command/option-table.ts'
import { readOptions } from '../../bench/command/options.ts'
import { usage } from '../../bench/command/usage.ts'
import { barPlot } from '../../bench/results/bar-plot.ts'
import { linePlot } from '../../bench/results/line-plot.ts'
import type { Measurement, Sample } from '../../bench/results/measurement.ts'
import { evaluateTargets } from '../../bench/results/targets.ts'
import { DURABLE_FLUSH_TIME } from '../../bench/scenarios/durable.ts'
import { FLEET_MIX } from '../../bench/scenarios/mixed.ts'
import { SCENARIO_NAMES } from '../../bench/scenarios/scenario-names.ts'
import { parse } from '../../src/store/search/language/parse.ts'
import { listen } from '../../src/lib/listen.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const DATASET: Dataset = {
  seed: 1,
  rows: 200,
  specBytes: [1024, 4096],
  reports: true,
  nodePoolsPerCluster: 1,
}

const NUMBERS = Array.from({ length: DATASET.rows }, (_, index) => index + 1)

function targetAt(origin: string) {
  return { origin, pid: null, postgresPid: null, dataset: DATASET }
}

describe('statistics', () => {
  it('are the median and the range', () => {
    expect(spreadOf([3, 1, 9])).toEqual({ median: 3, min: 1, max: 9 })
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
    expect(spreadOf([])).toBeNull()
  })

  it('compare values of the same round and ignore rounds without both values', () => {
    expect(ratioOf([2, 30, null, 8], [1, 10, 5, 2])).toEqual({ median: 3, min: 2, max: 4 })
    expect(ratioOf([1], [0])).toBeNull()
    expect(ratioOf([null], [1])).toBeNull()
  })

  it('state the 95 % interval of a median by the ranks of the ratios', () => {
    const baselines = Array.from({ length: 10 }, () => 2)
    const values = [20, 4, 6, 8, 2, 10, 12, 14, 16, 18]
    expect(intervalOfRatio(values, baselines)).toEqual([2, 9])
    expect(intervalOfRatio(values.slice(0, 6), baselines)).toEqual([1, 10])
    expect(intervalOfRatio(values.slice(0, 5), baselines)).toBeNull()
  })

  it('describe the trend of memory by its start, middle and end', () => {
    const samples = [100, 110, 120, 130, 140, 150, 160, 170, 180, 190]
    expect(memoryTrend(samples)).toEqual({ start: 100, middle: 145, end: 185 })
    expect(memoryTrend([])).toBeNull()
  })
})

describe('the histogram', () => {
  it('returns percentiles that are exact to 1.6 %', () => {
    const durations = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.99, 1), (values, share) => {
        const histogram = createHistogram()
        for (const value of values) histogram.record(value)
        const sorted = values.toSorted((a, b) => a - b)
        const exact = sorted[Math.max(1, Math.ceil(values.length * share)) - 1] ?? 0
        const found = histogram.percentile(share)
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.016))
        expect(histogram.max()).toBe(sorted.at(-1))
      }),
    )
  })
})

describe('the response parser', () => {
  const ANSWERS =
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}' +
    'HTTP/1.1 204 No Content\r\nX-Other: 1\r\n\r\n' +
    'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nb\r\n0123456789a\r\n0\r\n\r\n' +
    'HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\nwrong' +
    'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'

  it('finds the same responses regardless of chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const responses: ParsedResponse[] = []
        const parser = createResponseParser((response) => responses.push(response))
        let at = 0
        for (let turn = 0; at < ANSWERS.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          parser.feed(Buffer.from(ANSWERS.slice(at, at + size), 'latin1'))
          at += size
        }
        expect(responses).toEqual([
          { status: 200, bytes: 7, text: '' },
          { status: 204, bytes: 0, text: '' },
          { status: 201, bytes: 14, text: '' },
          { status: 500, bytes: 5, text: 'wrong' },
          { status: 201, bytes: 0, text: '' },
        ])
      }),
    )
  })

  it('rejects bytes that are not an HTTP response', () => {
    const parser = createResponseParser(() => undefined)
    expect(() => parser.feed(Buffer.from('SSH-2.0\r\n\r\n'))).toThrow('not an HTTP/1.1 response')
  })
})

describe('the load generator', () => {
  const GET: Operation = { op: 'get' }
  const TIMING = { warmUp: 0.05, seconds: 0.3 }

  /** Runs a load on a server that responds to every request with `status`. */
  async function loadOn(status: number, rate: number | null) {
    let handled = 0
    const server = createServer((_, response) => {
      handled += 1
      response.writeHead(status, { 'Content-Length': 2 }).end('{}')
    })
    const target = targetAt(`http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`)
    try {
      const load = { ...TIMING, connections: 4, rate }
      const start = performance.now()
      const result = await runLoad(target, load, mixedSource(target, [[1, GET]]))
      return { ...result, handled, elapsedMs: performance.now() - start }
    } finally {
      server.close()
    }
  }

  it('draws every operation of a fleet', () => {
    const nextSource = mixedSource(targetAt('http://127.0.0.1'), FLEET_MIX)
    const drawn = Array.from({ length: 2000 }, () => nextSource().operation)
    expect(new Set(drawn)).toEqual(new Set(FLEET_MIX.map(([, { op }]) => op)))
  })

  it('counts the responses of the measurement, without those of the warm-up', async () => {
    const { requests, handled, operations, p50, p99, bytes } = await loadOn(200, null)
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThan(handled)
    expect(bytes).toBe(2 * requests)
    expect(p50).toBeLessThanOrEqual(p99)
    expect(operations).toMatchObject([{ operation: 'get', requests }])
  })

  it('sends no more requests than a constant rate allows', async () => {
    const { requests, handled, elapsedMs } = await loadOn(200, 200)
    expect(requests).toBeGreaterThan(0)
    expect(handled).toBeLessThanOrEqual(1 + (200 * elapsedMs) / 1000)
  })

  it('fails at an unexpected response and includes its body in the error', async () => {
    await expect(loadOn(500, null)).rejects.toThrow('get returned 500 instead of 200: {}')
  })

  it('counts rejections separately', async () => {
    expect(await loadOn(429, null)).toMatchObject({ requests: 0, rejected: expect.any(Number) })
  })
})

describe('the dataset', () => {
  it('depends on the seed alone', () => {
    expect(clusterOf(DATASET, 7)).toEqual(clusterOf(DATASET, 7))
    expect(clusterOf({ ...DATASET, seed: 2 }, 7).spec).not.toEqual(clusterOf(DATASET, 7).spec)
  })

  it('has specs of the requested sizes', () => {
    const sizes = NUMBERS.map((number) => JSON.stringify(clusterOf(DATASET, number).spec).length)
    expect(Math.min(...sizes)).toBeGreaterThan(900)
    expect(Math.max(...sizes)).toBeLessThan(4200)
    expect(Math.max(...sizes)).toBeGreaterThan(3500)
  })

  it('has twenty clusters per team, and about twenty clusters of many teams without a pull secret', () => {
    const team = NUMBERS.filter((number) => teamOf(DATASET, number) === 'team-3')
    expect(team).toHaveLength(20)
    const broken = NUMBERS.filter((number) => clusterState(DATASET, number) === 'no-pull-secret')
    expect(broken.length).toBeGreaterThan(5)
    expect(new Set(broken.map((number) => teamOf(DATASET, number))).size).toBeGreaterThan(5)
  })

  it('has valid searches of every form', () => {
    const random = seededRandom(1)
    for (const form of SEARCH_FORMS) {
      for (const search of Object.values(SEARCHES[form])) {
        expect(parse(search({ dataset: DATASET, random }))).not.toBeNull()
      }
    }
  })

  it('equals the state that the server would have stored: heartbeats change no resource', async () => {
    await using database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await seedDatabase(client, DATASET)
      await using server = await startTestServer({ databaseUrl: database.url })
      const versions = async (): Promise<object[]> =>
        (await client.query<object>('select id, version from resources order by id')).rows
      const send = async (op: 'report-same' | 'report-node-pool' | 'report-flip') => {
        const nextSource = mixedSource(targetAt(server.origin), [[1, { op }]])
        for (let count = 0; count < 20; count += 1) {
          const { method, path, body } = nextSource().next()
          const { status } = await server.request(method, path, JSON.parse(body ?? ''))
          expect(status).toBe(201)
        }
      }
      const before = await versions()
      await send('report-same')
      await send('report-node-pool')
      expect(await versions()).toEqual(before)
      await send('report-flip')
      expect(await versions()).not.toEqual(before)
    } finally {
      await client.end()
    }
  })
})

describe('the pgbench baseline', () => {
  it('replaces parameters with variables', () => {
    const statement = {
      text: `select $1::text,\n  $2::int from t where id = any($3::text[]) and $1::text = ''`,
      values: ['<id>', 7, ['<id>', 'x']],
    }
    const script = pgbenchScript([statement], {
      setUp: ['\\set n random(1, 9)'],
      replacements: new Map([['<id>', "('c' || :n)"]]),
    })
    expect(script.text).toBe(
      `\\set n random(1, 9)\nselect ('c' || :n)::text, :s0_p2::int from t where ` +
        `id = any(array[('c' || :n), :s0_p3_1]::text[]) and ('c' || :n)::text = '';\n`,
    )
    expect(script.variables).toEqual({ s0_p2: '7', s0_p3_1: 'x' })
  })

  it('rejects a statement whose text pgbench would read as a variable', () => {
    const statement = { text: `select to_char(now(), 'HH24:MI')`, values: [] }
    expect(() => pgbenchScript([statement], { setUp: [], replacements: new Map() })).toThrow(":MI'")
  })

  it.each(['get', 'list', 'create', 'report-same'] as const)(
    'contains the statements that the storage layer sends for %s',
    async (operation) => {
      const { text } = await baselineScript(operation, DATASET)
      expect(text).toMatch(/resources|adapter_statuses/)
      expect(text).not.toMatch(/\$\d/)
    },
  )
})

describe.runIf(process.platform === 'linux')('CPU time', () => {
  it('includes children that have ended', () => {
    const before = cpuSeconds(process.pid) ?? 0
    const burn = 'while (process.cpuUsage().user < 200_000) {}'
    spawnSync(process.execPath, ['-e', burn])
    expect((cpuSeconds(process.pid) ?? 0) - before).toBeGreaterThan(0.1)
  })

  it('is unknown for a process that does not exist', () => {
    expect(cpuSeconds(2 ** 30)).toBeNull()
    expect(cpuSeconds(null)).toBeNull()
  })
})

describe('the command line', () => {
  it('has a default for everything except the scenario', () => {
    expect(readOptions(['get'])).toMatchObject({
      scenario: 'get',
      rows: 10_000,
      growthRows: 1_000_000,
      connections: [1, 16, 64],
      specBytes: [1024, 10_240],
      comparison: null,
      schedule: { rounds: 5 },
    })
  })

  it('reads all types of options', () => {
    const args = 'list --quick --rows 50 --connections 2,4 --spec-bytes 900 --env A=b=c'.split(' ')
    expect(readOptions([...args, '--against', '../other', '--against-env', 'A=d'])).toMatchObject({
      rows: 50,
      growthRows: 50,
      connections: [2, 4],
      specBytes: [900, 900],
      schedule: { rounds: 3 },
      env: { A: 'b=c' },
      comparison: { root: '../other', env: { A: 'd' } },
    })
  })

  it.each([
    [[], 'expected one scenario'],
    [['nothing'], 'expected one scenario'],
    [['get', 'list'], 'expected one scenario'],
    [['get', '--rows', 'many'], '--rows: expected an integer'],
    [['get', '--connections', '1,,2'], '--connections: expected an integer'],
    [['get', '--spec-bytes', '9-1'], '--spec-bytes: expected 1024 or 1024-10240'],
    [['get', '--seconds', '0'], '--seconds: expected a number above 0'],
    [['get', '--env', 'A'], '--env: expected NAME=VALUE'],
    [['get', '--unknown'], '--unknown'],
  ])('explains what is wrong with %j', (args, problem) => {
    expect(() => readOptions(args)).toThrow(problem)
  })

  it('has the same scenarios and options in --help and in the README', () => {
    const readme = readFileSync(new URL('../../bench/README.md', import.meta.url), 'utf8')
    for (const text of [usage(), readme]) {
      for (const name of Object.keys(OPTIONS)) expect(text).toContain(`--${name}`)
      for (const name of SCENARIO_NAMES) expect(text).toMatch(new RegExp(`^\\W+${name}\\W`, 'm'))
    }
  })
})

describe('plots', () => {
  it('place points on logarithmic axes and escape names', () => {
    const picture = linePlot({ title: 'a < b', x: 'clusters', y: 'us' }, [
      {
        name: 'get & list',
        points: [
          [1000, 10],
          [1_000_000, 100],
        ],
      },
      { name: 'empty', points: [] },
    ])
    expect(picture).toContain('<title>a &lt; b</title>')
    expect(picture).toContain('get &amp; list')
    expect(picture).not.toContain('empty')
    expect(picture).toContain('points="70,380 540,50"')
    expect(picture).toContain('>1 000 000<')
  })

  it('scale bars within a group and use one colour per part', () => {
    const picture = barPlot('costs', [
      {
        name: 'get',
        bars: [
          { part: 'API', value: 50 },
          { part: 'bare', value: 25 },
        ],
      },
      { name: 'list', bars: [{ part: 'bare', value: 1000 }] },
    ])
    const bars = [...picture.matchAll(/width="([\d.]+)" height="14" fill="(#\w+)"/g)]
    expect(bars.map(([, width, colour]) => [width, colour])).toEqual([
      ['490', '#0072b2'],
      ['245', '#d55e00'],
      ['490', '#d55e00'],
    ])
  })
})

describe('targets', () => {
  const run = (more: Partial<Sample>): Sample => ({
    requests: 1000,
    requestsPerSecond: 100,
    p50: 1,
    p99: 2,
    max: 3,
    serverCpu: 100,
    postgresCpu: 50,
    generatorCpu: 10,
    otherCpus: 0,
    rejected: 0,
    operations: [{ operation: 'get', requests: 1000, p50: 1, p99: 2, max: 3 }],
    ...more,
  })
  const measured = (more: Partial<Measurement>): Measurement => ({
    scenario: 'get',
    variant: 'get',
    subject: 'flotilla',
    connections: 64,
    rows: 10_000,
    samples: [run({})],
    peakMemory: null,
    ...more,
  })
  const facts = [{ scenario: 'durable', name: DURABLE_FLUSH_TIME, value: 2.5, unit: 'ms' }]
  const resultOf = (text: string, measurements: Measurement[]) =>
    evaluateTargets({ measurements, facts }).find(({ target }) => target.includes(text))

  it('are not measured without measurements', () => {
    const results = evaluateTargets({ measurements: [], facts: [] })
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['not measured']))
  })

  it('compare with the baselines of the same rounds', () => {
    const bare = (serverCpu: number): Measurement =>
      measured({ subject: 'bare', samples: [run({ serverCpu })] })
    const text = 'get, 64 connections: API CPU'
    expect(resultOf(text, [measured({}), bare(25)])).toMatchObject({ outcome: 'met' })
    expect(resultOf(text, [measured({}), bare(24)])).toMatchObject({ outcome: 'missed' })
  })

  it('require four times the durable throughput with 64 connections', () => {
    const of = (connections: number, requestsPerSecond: number): Measurement =>
      measured({ scenario: 'durable', connections, samples: [run({ requestsPerSecond })] })
    const text = 'durable reports, 64 connections / 1: requests/s'
    expect(resultOf(text, [of(1, 100), of(64, 400)])).toMatchObject({ outcome: 'met' })
    expect(resultOf(text, [of(1, 100), of(64, 399)])).toMatchObject({ outcome: 'missed' })
  })

  it('evaluate the tail latency of each operation', () => {
    const slow = { operation: 'list', requests: 1000, p50: 1, p99: 4, max: 9 }
    const mixed = measured({
      scenario: 'mixed',
      connections: 16,
      samples: [run({ operations: [slow] })],
    })
    expect(resultOf('p99', [mixed])).toMatchObject({ outcome: 'missed' })
    expect(resultOf('p99', [measured({ connections: 16 })])).toMatchObject({ outcome: 'met' })
  })

  it('limit the cores of paced heartbeats and require the rate', () => {
    const paced = (more: Partial<Sample>): Measurement =>
      measured({ scenario: 'paced', samples: [run({ requestsPerSecond: 1667, ...more })] })
    const outcome = (more: Partial<Sample>) => resultOf('paced', [paced(more)])?.outcome
    expect(outcome({ serverCpu: 400, postgresCpu: 300 })).toBe('met')
    expect(outcome({ serverCpu: 450, postgresCpu: 300 })).toBe('missed')
    expect(outcome({ serverCpu: 1, postgresCpu: 1, requestsPerSecond: 1600 })).toBe('missed')
  })
})
