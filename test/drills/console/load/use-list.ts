import type { Desk } from '../jobs/job.ts'
import { NOT_READY_SEARCH } from '../pages/searches.ts'

const KEY_DELAY_MS = 40
const SCROLLS = 20
const SCROLL_PIXELS = 700

/** Scrolls down and up, types a search, moves through its rows, and clears it: with real input. */
export async function useList({ tab: { page } }: Desk): Promise<void> {
  const rows = page.getByRole('grid')
  await rows.hover()
  for (const direction of [1, -1]) {
    for (let step = 0; step < SCROLLS; step += 1) {
      await page.mouse.wheel(0, direction * SCROLL_PIXELS)
      await page.waitForTimeout(KEY_DELAY_MS)
    }
  }
  await page.keyboard.press('/')
  await page.keyboard.type(NOT_READY_SEARCH, { delay: KEY_DELAY_MS })
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]q=/)
  await rows.focus()
  for (let step = 0; step < SCROLLS; step += 1) {
    await page.keyboard.press('ArrowDown', { delay: KEY_DELAY_MS })
  }
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.searchParams.has('q'))
  // In the search field, / would be text.
  await rows.focus()
}
