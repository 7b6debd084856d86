import type { Page } from 'playwright-core'

/** Waits until a page shows its data: the text, and no placeholder of content that is loading. */
export async function untilShown(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText(text).filter({ visible: true }).first().waitFor()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
}
