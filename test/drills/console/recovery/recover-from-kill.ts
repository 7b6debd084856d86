import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { newWindow, openTab } from '../browser/console-tab.ts'
import { untilShown } from '../browser/until-shown.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { startConsoleServer } from '../rig/console-server.ts'

/** Chromium logs each request that the killed server did not answer. */
const EXPECTED =
  /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/

/**
 * Kills the server of two tabs. Another server of the database makes changes meanwhile. Both tabs
 * show them after the restart, without user action.
 */
export async function recoverFromKill({ browser, server, databaseUrl }: ConsoleRig): Promise<void> {
  const { client } = server
  const run = randomBytes(3).toString('hex')
  const [name, later] = [`before-the-kill-${run}`, `while-the-server-is-down-${run}`]
  const { id } = await client.clusters.create({ name, labels: { wave: 'old' } })
  await using killed = await startConsoleServer({
    databaseUrl,
    env: { ROLE: 'api', SANDBOX_RUNTIME: 'off' },
  })
  const context = await newWindow(browser)
  await using list = await openTab(browser, killed.origin, { context, expects: EXPECTED })
  await list.open('/resources/clusters')
  await untilShown(list.page, name)
  await untilLive(list.page)
  await using detail = await openTab(browser, killed.origin, { context, expects: EXPECTED })
  await detail.open(`/resources/clusters/${id}`)
  await untilShown(detail.page, name)
  await untilLive(detail.page)
  const marks = await Promise.all([list.page, detail.page].map(markDocument))

  await killed.kill()
  await client.clusters.patch(id, { labels: { wave: 'while-down' } })
  await client.clusters.create({ name: later })
  await Promise.all([list.page, detail.page].map(untilNotLive))
  await killed.start()

  await list.page.getByText(later).first().waitFor()
  await detail.page.getByText('while-down').first().waitFor()
  await Promise.all([list.page, detail.page].map(untilLive))
  const reloaded = await Promise.all([list.page, detail.page].map(readMark))
  assert.deepEqual(reloaded, marks, 'a tab was reloaded')
  await list.assertClean()
  await detail.assertClean()
  await context.close()
}

async function untilLive(page: Page): Promise<void> {
  await page.locator('[role=status][data-state=live]').waitFor()
}

async function untilNotLive(page: Page): Promise<void> {
  await page.locator('[role=status]:is([data-state=reconnecting], [data-state=behind])').waitFor()
}

/** A reload would remove the mark. */
async function markDocument(page: Page): Promise<unknown> {
  return await page.evaluate(`(document.flotillaMark = performance.timeOrigin)`)
}

async function readMark(page: Page): Promise<unknown> {
  return await page.evaluate('document.flotillaMark')
}
