import { yamlEditor } from '../browser/yaml-editor.ts'
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openTab } from '../browser/console-tab.ts'
import { keyboardUser, type User } from '../browser/user.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { startTimedServer } from './timed-server.ts'

/** Chromium logs each rejected request. */
const EXPECTED = /the server responded with a status of 401/

/**
 * Lets the token of a tab expire during an edit. The tab asks for a new one, rejects an invalid one,
 * saves the edit without further action, and receives changes again.
 */
export async function replaceExpiredToken(
  { browser }: ConsoleRig,
  databaseUrl: string,
): Promise<void> {
  await using server = await startTimedServer(databaseUrl)
  const { id } = await server.client.clusters.create({ name: 'edited', spec: { size: 1 } })
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  const user = keyboardUser(page)
  await tab.open(`/resources/clusters/${id}/edit`)
  await giveToken(page, user, server.newToken('ada@example.com'))
  const editor = yamlEditor(page)
  await user.write(editor, 'spec:\n  size: 2\n  note: written before the token expired\n')

  server.advanceHours(2)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('dialog', { name: 'Your token has expired' }).waitFor()
  await giveToken(page, user, 'not-a-token')
  await page.getByRole('dialog').getByText(/token/i).first().waitFor()
  await giveToken(page, user, server.newToken('ada@example.com'))
  await page.waitForURL(`**/resources/clusters/${id}`)
  const { spec, updated_by: author } = await server.client.clusters.get(id)
  assert.deepEqual(spec, { size: 2, note: 'written before the token expired' })
  assert.equal(author, 'ada@example.com')

  await server.client.clusters.mergePatch(id, { labels: { after: 'the-new-token' } })
  await page.getByText('the-new-token').first().waitFor()
  await tab.assertClean()
}

async function giveToken(page: Page, user: User, token: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await user.write(dialog.getByLabel('Bearer token'), token)
  await page.keyboard.press('Enter')
}
