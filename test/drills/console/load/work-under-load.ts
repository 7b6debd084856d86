import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { quantileOf } from '../../../../bench/measure/statistics.ts'
import { openTab } from '../browser/console-tab.ts'
import { untilShown } from '../browser/until-shown.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { type ChangeGenerator, generateChanges } from '../rig/generate-changes.ts'
import { CLUSTERS_WITH_REPORTS } from '../rig/seed-fleet.ts'
import { type LoadFigures, printFigures } from './load-figures.ts'
import { TRACE_CATEGORIES, mainThreadTasks, type MainThreadTasks } from './main-thread-tasks.ts'
import { measureViewers } from './measure-viewers.ts'
import { readTabMemory, type TabMemory } from './tab-memory.ts'
import { useList } from './use-list.ts'

interface Options {
  readonly seconds: number
  readonly print: (line: string) => void
}

const CHANGES_PER_SECOND = 200
const VIEWERS = 10
const VIEWER_SECONDS = 6
/** Changes of the viewed list add objects to the heap until a collection, but do not accumulate. */
const MAX_GROWTH_MEGABYTES = 12
/** CPU time: Chromium and the server share the cores, so elapsed times are only printed. */
const MAX_INPUT_MS = 100
const MAX_P95_INPUT_MS = 50

/**
 * Scrolls, filters and types in the list of all clusters while clusters change. No input takes 100 ms
 * of CPU in the page, 95 % take less than 50 ms, and the memory of the tab stays flat.
 */
export async function workUnderLoad(rig: ConsoleRig, { seconds, print }: Options): Promise<void> {
  const { browser, server, clusters } = rig
  const changes = generateChanges({
    client: server.client,
    between: [clusters - CLUSTERS_WITH_REPORTS, clusters],
    perSecond: CHANGES_PER_SECOND,
  })
  try {
    await using tab = await openTab(browser, server.origin)
    const stream = tab.page.waitForRequest(/[?&]watch=true/)
    await tab.open('/resources/clusters')
    // Members of fleets that earlier cases have created precede the seeded clusters.
    await untilShown(tab.page, /-0\d{3,}/)
    const figures = await workInRounds(rig, { page: tab.page, changes, seconds })
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

interface Work {
  readonly page: Page
  readonly changes: ChangeGenerator
  readonly seconds: number
}

async function workInRounds(
  { browser }: ConsoleRig,
  { page, changes, seconds }: Work,
): Promise<LoadFigures> {
  const tasks: MainThreadTasks[] = []
  const memory: TabMemory[] = []
  const before = changes.count
  const start = performance.now()
  do {
    await browser.startTracing(page, { categories: [...TRACE_CATEGORIES] })
    await useList(page).catch(async (error: unknown) => {
      await page.screenshot({ path: 'test-output/console/load-failed.png' })
      throw error
    })
    tasks.push(mainThreadTasks((await browser.stopTracing()).toString()))
    memory.push(await readTabMemory(page))
  } while (performance.now() - start < seconds * 1000)
  const elapsed = (performance.now() - start) / 1000
  const inputs: readonly number[] = await page.evaluate(
    'flotillaProbe.inputs.map(({ duration }) => duration)',
  )
  return { tasks, memory, inputs, changesPerSecond: (changes.count - before) / elapsed }
}

async function overviewStream({ browser, server }: ConsoleRig): Promise<string> {
  await using tab = await openTab(browser, server.origin)
  const stream = tab.page.waitForRequest(/[?&]watch=true/)
  await tab.open('/')
  return (await stream).url()
}

function assertFluid({ tasks, memory, changesPerSecond }: LoadFigures): void {
  assert.ok(changesPerSecond > 0, 'nothing changed')
  const inputs = tasks.flatMap((round) => round.inputs)
  const [longest, p95] = [quantileOf(inputs, 1), quantileOf(inputs, 0.95)]
  assert.ok(longest < MAX_INPUT_MS, `an input took ${longest.toFixed(0)} ms of CPU`)
  assert.ok(p95 < MAX_P95_INPUT_MS, `5 % of the inputs took ${p95.toFixed(0)} ms of CPU and more`)
  // The first round loads code and fills caches.
  const heaps = memory.slice(1).map(({ heapMegabytes }) => heapMegabytes)
  const [first = 0] = heaps
  const growth = (heaps.at(-1) ?? 0) - first
  assert.ok(growth < MAX_GROWTH_MEGABYTES, `the heap grew by ${growth.toFixed(1)} MB`)
}
