import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Someone who uses a page, in one way only. */
export interface User {
  /** Follows a link, presses a button or selects an entry. */
  activate(target: Locator): Promise<void>
  /** Moves to a field and replaces its text. */
  write(field: Locator, text: string): Promise<void>
}

/** More than the elements of any page that can have the focus. */
const MAX_TABS = 250

/** Reaches everything with Tab, and uses no pointer. Fails if an element cannot be reached. */
export function keyboardUser(page: Page): User {
  const focus = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`Tab does not reach ${String(target)}`)
  }
  return {
    activate: async (target) => {
      await focus(target)
      await page.keyboard.press('Enter')
    },
    write: async (field, text) => {
      await focus(field)
      await page.keyboard.press('ControlOrMeta+a')
      await enter(page, text)
    },
  }
}

/** Clicks, and writes with the keyboard. */
export function mouseUser(page: Page): User {
  return {
    activate: (target) => target.click(),
    write: async (field, text) => {
      await field.click()
      await page.keyboard.press('ControlOrMeta+a')
      await enter(page, text)
    },
  }
}

/** Taps with a finger and writes with the keyboard of the screen. */
export function touchUser(page: Page): User {
  return {
    activate: (target) => target.tap(),
    write: async (field, text) => {
      await field.tap()
      await page.keyboard.press('ControlOrMeta+a')
      await enter(page, text)
    },
  }
}

/** Types a line. Pastes several lines, because editors indent typed ones. */
async function enter(page: Page, text: string): Promise<void> {
  if (text.includes('\n')) {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await page.keyboard.press('ControlOrMeta+v')
  } else {
    await page.keyboard.type(text)
  }
}
