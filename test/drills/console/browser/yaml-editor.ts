import type { Locator, Page } from 'playwright-core'

/** The editor of a page, and not the plain field that precedes it until its code is loaded. */
export function yamlEditor(page: Page): Locator {
  return page.locator('[contenteditable=true][role=textbox]')
}
