import type { Page } from 'playwright-core'

/** Opens a path below `/console` as a link does, without loading the page again. */
export async function navigateInApp(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console${path}`)})`)
}
