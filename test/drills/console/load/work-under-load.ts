import assert from 'node:assert/strict'
import { quantileOf } from '../../../../bench/measure/statistics.ts'
import { openTab } from '../browser/console-tab.ts'
import { navigateInApp } from '../browser/navigate.ts'
import { untilShown } from '../browser/until-shown.ts'
import { mouseUser } from '../browser/user.ts'
import type { Desk } from '../jobs/job.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { type ChangeGenerator, generateChanges } from '../rig/generate-changes.ts'
import { CLUSTERS_WITH_REPORTS } from '../rig/seed-fleet.ts'
import type { LoadJob } from './jobs/load-job.ts'
import { type LoadFigures, printFigures } from './load-figures.ts'
import { TRACE_CATEGORIES, mainThreadTasks, type MainThreadTasks } from './main-thread-tasks.ts'
import { measureViewers } from './measure-viewers.ts'
import { readTabMemory, type TabMemory } from './tab-memory.ts'

interface Options {
  readonly seconds: number
  /** The jobs of a round. The list of clusters precedes each round. */
  readonly jobs: readonly LoadJob[]
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
/** Changes of the viewed list add objects to the heap until a collection, but do not accumulate. */
const MAX_GROWTH_MEGABYTES = 12
/** CPU time: Chromium and the server share the cores, so elapsed times are only printed. */
const MAX_INPUT_MS = 100
const MAX_P95_INPUT_MS = 50

/**
 * Repeats jobs in one tab while clusters change. No input takes 100 ms of CPU in the page, 95 % take
 * less than 50 ms, and the memory of the tab stays flat.
 */
export async function workUnderLoad(rig: ConsoleRig, options: Options): Promise<void> {
  const { seconds, jobs, expects, print } = options
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
    const figures = await workInRounds(desk, { changes, seconds, jobs })
    printFigures(figures, print)
    await tab.assertClean()
    const streams = { list: (await stream).url(), overview: await overviewStream(rig) }
    const { pid } = server
    const costs = await measureViewers({ pid, streams, viewers: VIEWERS, seconds: VIEWER_SECONDS })
    for (const [name, percent] of Object.entries(costs))
      print(`  CPU of the server, ${name}: ${percent.toFixed(2)} % of a core`)
    assertFluid(figures)
  } finally {
    await changes.stop()
  }
}

interface Work extends Pick<Options, 'seconds' | 'jobs'> {
  readonly changes: ChangeGenerator
}

async function workInRounds(
  desk: Omit<Desk, 'by'>,
  { changes, seconds, jobs }: Work,
): Promise<LoadFigures> {
  const { page, open } = desk.tab
  const rounds: (readonly MainThreadTasks[])[] = []
  const memory: TabMemory[] = []
  const before = changes.count
  const start = performance.now()
  do {
    const by = `round-${rounds.length + 1}`
    const tasks: MainThreadTasks[] = []
    for (const job of jobs) tasks.push(await traceJob({ ...desk, by }, job))
    rounds.push(tasks)
    await open(LIST)
    await untilShown(page, RESULTS)
    memory.push(await readTabMemory(page))
  } while (performance.now() - start < seconds * 1000)
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

function assertFluid({ rounds, memory, changesPerSecond }: LoadFigures): void {
  assert.ok(changesPerSecond > 0, 'nothing changed')
  const inputs = rounds.flat().flatMap((tasks) => tasks.inputs)
  const [longest, p95] = [quantileOf(inputs, 1), quantileOf(inputs, 0.95)]
  assert.ok(longest < MAX_INPUT_MS, `an input took ${longest.toFixed(0)} ms of CPU`)
  assert.ok(p95 < MAX_P95_INPUT_MS, `5 % of the inputs took ${p95.toFixed(0)} ms of CPU and more`)
  // The first round loads code and fills caches.
  const heaps = memory.slice(1).map(({ heapMegabytes }) => heapMegabytes)
  const [first = 0] = heaps
  const growth = (heaps.at(-1) ?? 0) - first
  assert.ok(growth < MAX_GROWTH_MEGABYTES, `the heap grew by ${growth.toFixed(1)} MB`)
}
