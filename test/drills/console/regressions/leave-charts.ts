import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openTab } from '../browser/console-tab.ts'
import { navigateInApp } from '../browser/navigate.ts'
import { untilShown } from '../browser/until-shown.ts'
import { readTabMemory } from '../load/tab-memory.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** V8 kept the page of the second visit. */
const VISITS = 4
/** A page with charts has over a thousand. */
const MAX_KEPT_NODES = 300

/** Pages with charts leave the memory of the tab when the user leaves them. */
export async function leaveCharts({ browser, server }: ConsoleRig): Promise<void> {
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/')
  const nodes: number[] = []
  for (let visit = 0; visit < VISITS; visit += 1) nodes.push(await nodesAfterVisit(page))
  const kept = Math.max(...nodes) - Math.min(...nodes)
  assert.ok(kept < MAX_KEPT_NODES, `DOM nodes after each visit: ${nodes.join(', ')}`)
  await tab.assertClean()
}

async function nodesAfterVisit(page: Page): Promise<number> {
  await navigateInApp(page, '/')
  const charts = page.getByRole('region', { name: 'Over time' })
  await charts
    .getByRole('img', { name: /^Chart/ })
    .first()
    .locator('canvas')
    .waitFor()
  await navigateInApp(page, '/resources/clusters')
  await untilShown(page, /\d results$/)
  return (await readTabMemory(page)).nodes
}
