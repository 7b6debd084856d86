import assert from 'node:assert/strict'
import { quantileOf } from '../../../../bench/measure/statistics.ts'
import { Skipped } from '../../drill.ts'
import { openTab } from '../browser/console-tab.ts'
import { navigateInApp } from '../browser/navigate.ts'
import { untilShown } from '../browser/until-shown.ts'
import { mouseUser } from '../browser/user.ts'
import type { Desk } from '../jobs/job.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { type ChangeGenerator, generateChanges } from '../rig/generate-changes.ts'
import { CLUSTERS_WITH_REPORTS } from '../rig/seed-fleet.ts'
import type { LoadJob } from './jobs/load-job.ts'
import { type LoadFigures, growthOf, printFigures } from './load-figures.ts'
import { TRACE_CATEGORIES, mainThreadTasks, type MainThreadTasks } from './main-thread-tasks.ts'
import { measureViewers } from './measure-viewers.ts'
import { readTabMemory } from './tab-memory.ts'

interface Options {
  readonly seconds: number
  /** The jobs of a round. The list of clusters precedes each round. */
  readonly jobs: readonly LoadJob[]
  /** Jobs in other windows, which follow the last round. */
  readonly last?: readonly LoadJob[]
  /** Console messages that the jobs provoke. */
  readonly expects?: RegExp
  readonly print: (line: string) => void
}

const LIST = '/resources/clusters'
/** Clusters that earlier jobs have created precede the seeded ones. */
const RESULTS = /\d results$/
const CHANGES_PER_SECOND = 200
const VIEWERS = 10
const VIEWER_SECONDS = 6
/** A machine with less proves less than the drill is for. */
const MIN_CHANGES_PER_SECOND = 190
/** Shorter runs end before the caches of the page are full. */
const STEADY_SECONDS = 600
/** In the second half of the time, which has six rounds or more: half a megabyte per round is more. */
const MAX_GROWTH_MEGABYTES = 2
const MAX_GROWTH_NODES = 300
/** CPU time: Chromium and the server share the cores, so elapsed times are only printed. */
const MAX_INPUT_MS = 100
const MAX_P95_INPUT_MS = 50

/**
 * Repeats jobs in one tab while clusters change. No input takes 100 ms of CPU in the page, 95 % take
 * less than 50 ms, and the memory of the tab stays flat.
 */
export async function workUnderLoad(rig: ConsoleRig, options: Options): Promise<void> {
  const { seconds, jobs, last = [], expects, print } = options
  const { browser, server, clusters } = rig
  const changes = generateChanges({
    client: server.client,
    between: [clusters - CLUSTERS_WITH_REPORTS, clusters],
    perSecond: CHANGES_PER_SECOND,
  })
  try {
    await using tab = await openTab(browser, server.origin, expects && { expects })
    const stream = tab.page.waitForRequest(/[?&]watch=true/)
    await tab.open(LIST)
    await untilShown(tab.page, RESULTS)
    const desk: Omit<Desk, 'by'> = {
      tab: { ...tab, open: (path) => navigateInApp(tab.page, path) },
      user: mouseUser(tab.page),
      rig,
    }
    const figures = await workInRounds(desk, { changes, seconds, jobs, last })
    printFigures(figures, print)
    await tab.assertClean()
    const streams = { list: (await stream).url(), overview: await overviewStream(rig) }
    const { pid } = server
    const costs = await measureViewers({ pid, streams, viewers: VIEWERS, seconds: VIEWER_SECONDS })
    for (const [name, percent] of Object.entries(costs))
      print(`  CPU of the server, ${name}: ${percent.toFixed(2)} % of a core`)
    assertFluid(figures)
    if (seconds >= STEADY_SECONDS) assertFlat(figures)
    assertLoaded(figures)
  } finally {
    await changes.stop()
  }
}

interface Work extends Required<Pick<Options, 'seconds' | 'jobs' | 'last'>> {
  readonly changes: ChangeGenerator
}

async function workInRounds(
  desk: Omit<Desk, 'by'>,
  { changes, seconds, jobs, last }: Work,
): Promise<LoadFigures> {
  const { page, open } = desk.tab
  const rounds: (readonly MainThreadTasks[])[] = []
  const memory: LoadFigures['memory'][number][] = []
  const before = changes.count
  const start = performance.now()
  do {
    const by = `round-${rounds.length + 1}`
    const tasks: MainThreadTasks[] = []
    for (const job of jobs) tasks.push(await traceJob({ ...desk, by }, job))
    rounds.push(tasks)
    await open(LIST)
    await untilShown(page, RESULTS)
    // The total is known before the rows, which have three times as many nodes as their placeholders.
    await page.getByRole('grid').getByRole('link').first().waitFor()
    const elapsed = (performance.now() - start) / 1000
    memory.push({ seconds: elapsed, ...(await readTabMemory(page)) })
  } while (performance.now() - start < seconds * 1000)
  const others: MainThreadTasks[] = []
  for (const job of last) others.push(await traceJob({ ...desk, by: 'another-window' }, job))
  rounds.push(others)
  const elapsed = (performance.now() - start) / 1000
  const inputs: readonly number[] = await page.evaluate(
    'flotillaProbe.inputs.map(({ duration }) => duration)',
  )
  return { rounds, memory, inputs, changesPerSecond: (changes.count - before) / elapsed }
}

/** Traces each job by itself, so that the buffer of Chromium does not overflow. */
async function traceJob(desk: Desk, { name, work }: LoadJob): Promise<MainThreadTasks> {
  const { rig, tab } = desk
  await rig.browser.startTracing(tab.page, { categories: [...TRACE_CATEGORIES] })
  await work(desk).catch(async (error: unknown) => {
    await tab.page.screenshot({ path: 'test-output/console/load-failed.png' })
    throw new Error(`the job failed: ${name}`, { cause: error })
  })
  return mainThreadTasks((await rig.browser.stopTracing()).toString())
}

async function overviewStream({ browser, server }: ConsoleRig): Promise<string> {
  await using tab = await openTab(browser, server.origin)
  const stream = tab.page.waitForRequest(/[?&]watch=true/)
  await tab.open('/')
  return (await stream).url()
}

function assertFluid(figures: LoadFigures): void {
  const inputs = figures.rounds.flat().flatMap((tasks) => tasks.inputs)
  const [longest, p95] = [quantileOf(inputs, 1), quantileOf(inputs, 0.95)]
  assert.ok(longest < MAX_INPUT_MS, `an input took ${longest.toFixed(0)} ms of CPU`)
  assert.ok(p95 < MAX_P95_INPUT_MS, `5 % of the inputs took ${p95.toFixed(0)} ms of CPU and more`)
}

function assertFlat(figures: LoadFigures): void {
  const growth = growthOf(figures)
  if (growth === null) throw new Skipped('there were too few rounds to see a growth of memory')
  const { heapMegabytes, nodes, listeners } = growth
  assert.ok(heapMegabytes < MAX_GROWTH_MEGABYTES, `the heap grew by ${heapMegabytes.toFixed(1)} MB`)
  assert.ok(nodes < MAX_GROWTH_NODES, `the page has ${nodes.toFixed(0)} more DOM nodes`)
  assert.ok(listeners < MAX_GROWTH_NODES, `the page has ${listeners.toFixed(0)} more listeners`)
}

function assertLoaded({ changesPerSecond: changes }: LoadFigures): void {
  if (changes >= MIN_CHANGES_PER_SECOND) return
  throw new Skipped(`only ${changes.toFixed(0)} changes per second: the machine is slow or busy`)
}
