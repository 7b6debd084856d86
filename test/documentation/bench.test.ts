import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { clusterOf, stateOf, teamOf } from '../../bench/data/cluster.ts'
import type { Dataset } from '../../bench/data/dataset.ts'
import { SEARCH_FORMS, SEARCHES } from '../../bench/data/searches.ts'
import { seedDatabase } from '../../bench/data/seed-database.ts'
import { seededRandom } from '../../bench/data/seeded-random.ts'
import { floorScript } from '../../bench/floors/floor-scripts.ts'
import { pgbenchScript } from '../../bench/floors/pgbench-script.ts'
import { createHistogram } from '../../bench/generator/histogram.ts'
import { mixedSource } from '../../bench/generator/mixed-source.ts'
import type { Operation } from '../../bench/generator/operation.ts'
import { createResponseParser, type ParsedAnswer } from '../../bench/generator/response-parser.ts'
import { runLoad } from '../../bench/generator/run-load.ts'
import { courseOf } from '../../bench/measure/memory-watch.ts'
import { cpuSeconds } from '../../bench/measure/process-cpu.ts'
import { ratioOf, spreadOf } from '../../bench/measure/statistics.ts'
import { readOptions } from '../../bench/command/options.ts'
import { barPlot } from '../../bench/results/bar-plot.ts'
import { linePlot } from '../../bench/results/line-plot.ts'
import type { Measurement, Run } from '../../bench/results/measurement.ts'
import { judgeTargets } from '../../bench/results/targets.ts'
import { SLOWED_FLUSH_FACT } from '../../bench/scenarios/durable.ts'
import { parse } from '../../src/core/search/language/parse.ts'
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
  return { origin, headers: {}, pid: null, postgresPid: null, dataset: DATASET, ids: null }
}

describe('statistics', () => {
  it('are the middle value and the ends', () => {
    expect(spreadOf([3, 1, 9])).toEqual({ median: 3, min: 1, max: 9 })
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
    expect(spreadOf([])).toBeNull()
  })

  it('compare turn by turn, without the turns that one of the two has not', () => {
    expect(ratioOf([2, 30, null, 8], [1, 10, 5, 2])).toEqual({ median: 3, min: 2, max: 4 })
    expect(ratioOf([1], [0])).toBeNull()
    expect(ratioOf([null], [1])).toBeNull()
  })

  it('tell how memory went', () => {
    const samples = [100, 110, 120, 130, 140, 150, 160, 170, 180, 190]
    expect(courseOf(samples)).toEqual({ start: 100, middle: 145, end: 185 })
    expect(courseOf([])).toBeNull()
  })
})

describe('the histogram', () => {
  it('knows percentiles to 1.6 %', () => {
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

describe('the parser of answers', () => {
  const ANSWERS =
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}' +
    'HTTP/1.1 204 No Content\r\nX-Other: 1\r\n\r\n' +
    'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nb\r\n0123456789a\r\n0\r\n\r\n' +
    'HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\nwrong' +
    'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'

  it('finds the same answers however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const answers: ParsedAnswer[] = []
        const parser = createResponseParser((answer) => answers.push(answer))
        let at = 0
        for (let turn = 0; at < ANSWERS.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          parser.feed(Buffer.from(ANSWERS.slice(at, at + size), 'latin1'))
          at += size
        }
        expect(answers).toEqual([
          { status: 200, bytes: 7, text: '' },
          { status: 204, bytes: 0, text: '' },
          { status: 201, bytes: 14, text: '' },
          { status: 500, bytes: 5, text: 'wrong' },
          { status: 201, bytes: 0, text: '' },
        ])
      }),
    )
  })

  it('refuses what is no answer', () => {
    const parser = createResponseParser(() => undefined)
    expect(() => parser.feed(Buffer.from('SSH-2.0\r\n\r\n'))).toThrow('not an HTTP/1.1 answer')
  })
})

describe('a load', () => {
  const GET: Operation = { op: 'get' }
  const TIMING = { warmUp: 0.05, seconds: 0.3 }

  async function loadOn(status: number, rate: number | null) {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'Content-Length': 2 }).end('{}')
    })
    const target = targetAt(`http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`)
    try {
      const load = { ...TIMING, connections: 4, rate }
      return await runLoad(target, load, mixedSource(target, [[1, GET]]))
    } finally {
      server.close()
    }
  }

  it('counts what is answered while it measures', async () => {
    const { requests, seconds, operations, p50, p99, bytes } = await loadOn(200, null)
    expect(requests).toBeGreaterThan(100)
    expect(bytes).toBe(2 * requests)
    expect(seconds).toBeGreaterThanOrEqual(0.29)
    expect(p50).toBeLessThanOrEqual(p99)
    expect(operations).toMatchObject([{ operation: 'get', requests }])
  })

  it('keeps to its pace', async () => {
    const { requests, seconds } = await loadOn(200, 200)
    expect(requests / seconds).toBeGreaterThan(100)
    expect(requests / seconds).toBeLessThan(300)
  })

  it('fails at an answer that is not as expected, and says what it was', async () => {
    await expect(loadOn(500, null)).rejects.toThrow('get was answered with 500 instead of 200: {}')
  })

  it('counts refusals apart', async () => {
    expect(await loadOn(429, null)).toMatchObject({ requests: 0, refused: expect.any(Number) })
  })
})

describe('the data', () => {
  it('are the same for a seed and others for another', () => {
    expect(clusterOf(DATASET, 7)).toEqual(clusterOf(DATASET, 7))
    expect(clusterOf({ ...DATASET, seed: 2 }, 7).spec).not.toEqual(clusterOf(DATASET, 7).spec)
  })

  it('have specs of the sizes that are asked for', () => {
    const sizes = NUMBERS.map((number) => JSON.stringify(clusterOf(DATASET, number).spec).length)
    expect(Math.min(...sizes)).toBeGreaterThan(900)
    expect(Math.max(...sizes)).toBeLessThan(4200)
    expect(Math.max(...sizes)).toBeGreaterThan(3500)
  })

  it('have teams of twenty, and about twenty clusters of many teams without a pull secret', () => {
    const team = NUMBERS.filter((number) => teamOf(DATASET, number) === 'team-3')
    expect(team).toHaveLength(20)
    const broken = NUMBERS.filter((number) => stateOf(DATASET, number) === 'no-pull-secret')
    expect(broken.length).toBeGreaterThan(5)
    expect(new Set(broken.map((number) => teamOf(DATASET, number))).size).toBeGreaterThan(5)
  })

  it('can be searched in every form', () => {
    const random = seededRandom(1)
    for (const form of SEARCH_FORMS) {
      for (const search of Object.values(SEARCHES[form])) {
        expect(parse(search({ dataset: DATASET, random }))).not.toBeNull()
      }
    }
  })

  it('are as the server would have stored them: a heartbeat changes no resource', async () => {
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
        for (let turn = 0; turn < 60; turn += 1) {
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

describe('the floor of PostgreSQL', () => {
  it('repeats the statements with variables for parameters', () => {
    const statement = {
      text: `select $1::text,\n  $2::int from t where id = any($3::text[]) and $1::text = ''`,
      values: ['<id>', 7, ['<id>', 'x']],
    }
    const script = pgbenchScript([statement], {
      setUp: ['\\set n random(1, 9)'],
      instead: new Map([['<id>', "('c' || :n)"]]),
    })
    expect(script.text).toBe(
      `\\set n random(1, 9)\nselect ('c' || :n)::text, :s0_p2::int from t where ` +
        `id = any(array[('c' || :n), :s0_p3_1]::text[]) and ('c' || :n)::text = '';\n`,
    )
    expect(script.variables).toEqual({ s0_p2: '7', s0_p3_1: 'x' })
  })

  it('refuses what pgbench would take for a variable', () => {
    const statement = { text: `select to_char(now(), 'HH24:MI')`, values: [] }
    expect(() => pgbenchScript([statement], { setUp: [], instead: new Map() })).toThrow(":MI'")
  })

  it.each(['get', 'list', 'create', 'report-same'] as const)(
    'has the statements of %s as the storage layer sends them',
    async (operation) => {
      const { text } = await floorScript(operation, DATASET)
      expect(text).toMatch(/resources|adapter_statuses/)
      expect(text).not.toMatch(/\$\d/)
    },
  )
})

describe.runIf(process.platform === 'linux')('CPU time', () => {
  it('counts children, those that have ended too', () => {
    const before = cpuSeconds(process.pid) ?? 0
    const burn = 'const end = Date.now() + 300; while (Date.now() < end) {}'
    spawnSync(process.execPath, ['-e', burn])
    expect((cpuSeconds(process.pid) ?? 0) - before).toBeGreaterThan(0.1)
  })

  it('is unknown of a process that is not there', () => {
    expect(cpuSeconds(2 ** 30)).toBeNull()
    expect(cpuSeconds(null)).toBeNull()
  })
})

describe('the command line', () => {
  it('has defaults for everything but the scenario', () => {
    expect(readOptions(['get'])).toMatchObject({
      scenario: 'get',
      rows: 10_000,
      growthRows: 1_000_000,
      connections: [1, 16, 64],
      specBytes: [1024, 10_240],
      given: null,
      rival: null,
      pace: { rounds: 5 },
    })
  })

  it('reads what is given', () => {
    const words = 'list --quick --rows 50 --connections 2,4 --spec-bytes 900 --env A=b=c'.split(' ')
    const servers = ['--url', 'http://h:81', '--pid', '7', '--against', '../other']
    expect(
      readOptions([...words, ...servers, '--header', 'Authorization: Bearer x']),
    ).toMatchObject({
      rows: 50,
      growthRows: 50,
      connections: [2, 4],
      specBytes: [900, 900],
      pace: { rounds: 3 },
      env: { A: 'b=c' },
      headers: { Authorization: 'Bearer x' },
      given: { origin: 'http://h:81', pid: 7, postgresPid: null },
      rival: { checkout: '../other' },
    })
  })

  it.each([
    [[], 'name one scenario'],
    [['nothing'], 'name one scenario'],
    [['get', 'list'], 'name one scenario'],
    [['get', '--rows', 'many'], '--rows: expected an integer'],
    [['get', '--connections', '1,,2'], '--connections: expected an integer'],
    [['get', '--spec-bytes', '9-1'], '--spec-bytes: expected 1024 or 1024-10240'],
    [['get', '--seconds', '0'], '--seconds: expected a number above 0'],
    [['get', '--url', 'ftp://x'], 'is not http://host:port'],
    [['get', '--env', 'A'], '--env: expected NAME=VALUE'],
    [['get', '--unknown'], '--unknown'],
  ])('explains what is wrong with %j', (words, problem) => {
    expect(() => readOptions(words)).toThrow(problem)
  })
})

describe('pictures', () => {
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

  it('draw bars in proportion within a group, a part in the same colour everywhere', () => {
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
  const run = (more: Partial<Run>): Run => ({
    requests: 1000,
    requestsPerSecond: 100,
    p50: 1,
    p99: 2,
    max: 3,
    serverCpu: 100,
    postgresCpu: 50,
    generatorCpu: 10,
    othersBusy: 0,
    refused: 0,
    operations: [{ operation: 'get', requests: 1000, p50: 1, p99: 2, max: 3 }],
    ...more,
  })
  const measured = (more: Partial<Measurement>): Measurement => ({
    scenario: 'get',
    variant: 'get',
    measured: 'flotilla',
    connections: 64,
    rows: 10_000,
    runs: [run({})],
    peakMemory: null,
    ...more,
  })
  const facts = [{ scenario: 'durable', name: SLOWED_FLUSH_FACT, value: 2.5, unit: 'ms' }]
  const verdictOn = (text: string, measurements: Measurement[]) =>
    judgeTargets({ measurements, facts }).find(({ target }) => target.includes(text))

  it('are not measured without measurements', () => {
    const verdicts = judgeTargets({ measurements: [], facts: [] })
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['not measured']))
  })

  it('compare with the floors of the same turns', () => {
    const bare = (serverCpu: number): Measurement =>
      measured({ measured: 'bare', runs: [run({ serverCpu })] })
    const text = 'get, 64 connections: API CPU'
    expect(verdictOn(text, [measured({}), bare(25)])).toMatchObject({ verdict: 'reached' })
    expect(verdictOn(text, [measured({}), bare(24)])).toMatchObject({ verdict: 'not reached' })
  })

  it('ask many durable connections for four times the throughput of one', () => {
    const of = (connections: number, requestsPerSecond: number): Measurement =>
      measured({ scenario: 'durable', connections, runs: [run({ requestsPerSecond })] })
    const text = 'durable reports: requests/s'
    expect(verdictOn(text, [of(1, 100), of(64, 400)])).toMatchObject({ verdict: 'reached' })
    expect(verdictOn(text, [of(1, 100), of(64, 399)])).toMatchObject({ verdict: 'not reached' })
  })

  it('look at the tail of each operation', () => {
    const slow = { operation: 'list', requests: 1000, p50: 1, p99: 4, max: 9 }
    const mixed = measured({
      scenario: 'mixed',
      connections: 16,
      runs: [run({ operations: [slow] })],
    })
    expect(verdictOn('p99', [mixed])).toMatchObject({ verdict: 'not reached' })
    expect(verdictOn('p99', [measured({ connections: 16 })])).toMatchObject({ verdict: 'reached' })
  })

  it('count the cores of paced heartbeats, where the pace is kept', () => {
    const paced = (more: Partial<Run>): Measurement =>
      measured({ scenario: 'paced', runs: [run({ requestsPerSecond: 1667, ...more })] })
    const verdict = (more: Partial<Run>) => verdictOn('paced', [paced(more)])?.verdict
    expect(verdict({ serverCpu: 400, postgresCpu: 300 })).toBe('reached')
    expect(verdict({ serverCpu: 450, postgresCpu: 300 })).toBe('not reached')
    expect(verdict({ serverCpu: 1, postgresCpu: 1, requestsPerSecond: 1600 })).toBe('not reached')
  })
})
