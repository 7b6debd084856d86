import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import type { ChromiumBrowser } from './launch-chromium.ts'

export type Theme = 'light' | 'dark'

export interface TabOptions {
  readonly theme?: Theme
  readonly width?: 1280 | 390
  /** Console messages that the case provokes, such as those of a killed server. */
  readonly expects?: RegExp
  /** Shares cookies and storage with other tabs. */
  readonly context?: BrowserContext
}

/** A tab of the console. Disposal closes it, with its context unless the context was given. */
export interface ConsoleTab extends AsyncDisposable {
  readonly page: Page
  /** Opens a path below `/console`. */
  open(path: string): Promise<void>
  /** Throws if the page logged an error, violated its policy, or used another origin. */
  assertClean(): Promise<void>
}

const PROBE = fileURLToPath(new URL('probe.mjs', import.meta.url))
const HEIGHTS = { 1280: 800, 390: 844 } as const
/** A slow machine needs long, and a failure is rare. */
const TIMEOUT_MS = 60_000
/** The list sends a search after a pause. If the pause was within a word, the server rejects it. */
const UNFINISHED_SEARCH = /400 \(Bad Request\).*[?&]search=/

/** A new browser window with the probe in each of its pages. */
export async function newWindow(
  browser: ChromiumBrowser,
  { theme = 'light', width = 1280 }: TabOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: width === 390,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  await context.addInitScript({ path: PROBE })
  return context
}

/** Opens a tab that records every problem of its page. */
export async function openTab(
  browser: ChromiumBrowser,
  origin: string,
  options: TabOptions = {},
): Promise<ConsoleTab> {
  const context = options.context ?? (await newWindow(browser, options))
  const page = await context.newPage()
  const problems = recordProblems(page, origin, options.expects ?? null)
  return {
    page,
    open: async (path) => void (await page.goto(`${origin}/console${path}`)),
    assertClean: async () => {
      const violations: readonly string[] = await page.evaluate('flotillaProbe.violations')
      assert.deepEqual([...problems, ...violations], [], `problems of ${page.url()}`)
      assert.equal(await page.evaluate('flotillaProbe.isAttacked'), false, 'a payload was executed')
    },
    [Symbol.asyncDispose]: async () => {
      await (options.context === undefined ? context.close() : page.close())
    },
  }
}

function recordProblems(page: Page, origin: string, expected: RegExp | null): readonly string[] {
  const problems: string[] = []
  const add = (problem: string): void => {
    const isExpected = expected?.test(problem) === true || UNFINISHED_SEARCH.test(problem)
    if (!isExpected) problems.push(problem)
  }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      add(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => add(`exception: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    add(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:'
    if (!isOwn) add(`request to another origin: ${url.href}`)
  })
  return problems
}
