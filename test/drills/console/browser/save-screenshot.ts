import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FOLDER = fileURLToPath(new URL('../../../../test-output/console/', import.meta.url))

/** Saves what the window shows to `test-output/console/<name>.png`. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) })
}
