import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../browser/assert-accessible.ts'
import { openTab, type Theme } from '../browser/console-tab.ts'
import { saveScreenshot } from '../browser/save-screenshot.ts'
import { untilShown } from '../browser/until-shown.ts'
import { Skipped } from '../../drill.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { repeatReports, untilSamplesReady } from '../rig/create-samples.ts'
import { BASELINE_CHROMIUM, compareScreenshot } from './compare-screenshot.ts'
import { consolePages } from './console-pages.ts'

interface View {
  readonly theme: Theme
  readonly width: 1280 | 390
}

/** Both themes and both widths, in half of their combinations: contrast and layout are independent. */
export const HALF_OF_VIEWS: readonly View[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
]
export const VIEWS: readonly View[] = [
  ...HALF_OF_VIEWS,
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 1280 },
]
/** The page that exists to be missing, and the dry runs of an empty form. */
const EXPECTED = /status of 404|status of 400 .*dryRun=All/

/** The findings of a visit of all pages. */
export interface Findings {
  readonly failures: readonly string[]
  /** Screenshots that differ from their baselines; null if this Chromium cannot be compared. */
  readonly differences: readonly string[] | null
}

/** Opens every page in themes and at widths: screenshots, axe, width. */
export async function showEveryPage(rig: ConsoleRig, views: readonly View[]): Promise<void> {
  assertNone((await visitPages(rig, views, false)).failures)
}

/** The same, and compares each page in both themes with its baseline. */
export async function comparePages(rig: ConsoleRig): Promise<Findings> {
  // On a busy machine, the first pages could count unfinished work, and read it again too late.
  await untilSamplesReady(rig.server.client, rig.clusterId)
  const isComparable = rig.browser.version().startsWith(`${BASELINE_CHROMIUM}.`)
  const { failures, differences } = await visitPages(rig, HALF_OF_VIEWS, isComparable)
  return { failures, differences: isComparable ? differences : null }
}

export function assertNone(findings: readonly string[]): void {
  if (findings.length > 0) throw new Error(findings.join('\n'))
}

/** Fails if a screenshot differs from its baseline. */
export function assertUnchanged({ differences }: Findings): void {
  if (differences === null) {
    throw new Skipped(`Chromium ${BASELINE_CHROMIUM} drew the baselines, this is another version`)
  }
  assertNone(differences)
}

async function visitPages(
  { browser, server, ...fleet }: ConsoleRig,
  views: readonly View[],
  isCompared: boolean,
): Promise<{ readonly failures: string[]; readonly differences: string[] }> {
  const failures: string[] = []
  const differences: string[] = []
  for (const { theme, width } of views) {
    // The page of adapters would depend on how long the pages before took.
    await repeatReports(server.client, fleet.clusterId)
    await using tab = await openTab(browser, server.origin, { theme, width, expects: EXPECTED })
    for (const { name, path, shows, hides = '' } of consolePages(fleet)) {
      const title = `${name}-${theme}-${width}`
      try {
        await tab.open(path)
        await untilShown(tab.page, shows)
        await saveScreenshot(tab.page, title)
        const difference = isCompared ? await compareScreenshot(tab.page, title, hides) : null
        if (difference !== null) differences.push(difference)
        await assertAccessible(tab.page, title)
        await assertFits(tab.page, title)
        await assertReadable(tab.page, title)
        await tab.assertClean()
      } catch (error) {
        await saveScreenshot(tab.page, `${title}-failed`)
        failures.push(`${title}: ${String(error)}`)
      }
    }
  }
  return { failures, differences }
}

async function assertFits(page: Page, title: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(excess) <= 0, `${title} is ${String(excess)} pixels wider than the window`)
}

/** Texts in columns that leave room for a word or two per line. */
const SQUEEZED = `[...document.querySelectorAll('main *')]
  .filter(
    (element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 20,
      ) &&
      element.clientWidth > 1 &&
      element.clientWidth < 110 &&
      element.clientHeight > 50,
  )
  .map((element) => element.textContent)`

async function assertReadable(page: Page, title: string): Promise<void> {
  const texts = await page.evaluate(SQUEEZED)
  assert.deepEqual(texts, [], `${title} has texts in columns that are too narrow`)
}
