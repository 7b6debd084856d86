import assert from 'node:assert/strict'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** Enter accepts the characters that an input method proposes. It neither opens a result nor sends a search. */
export async function composeText({ browser, server }: ConsoleRig): Promise<void> {
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  const session = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 })
  await tab.open('/resources/clusters')
  await page.getByRole('grid').waitFor()

  await page.keyboard.press('/')
  await compose('p')
  await page.keyboard.press('Enter')
  await page.keyboard.insertText('payments')
  assert.equal(new URL(page.url()).search, '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]q=/)

  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Search across everything' })
  await palette.getByRole('combobox').waitFor()
  await compose('c')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  assert.equal(await palette.isVisible(), true)
  await page.keyboard.insertText('clusters')
  await palette.getByRole('option', { name: 'Clusters' }).first().waitFor()
  await tab.assertClean()
}
