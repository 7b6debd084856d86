import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

const BASELINES = fileURLToPath(new URL('baselines/', import.meta.url))
const RESULTS = fileURLToPath(new URL('../../../../test-output/console/', import.meta.url))
/** The major version of the Chromium that drew the baselines. Another one may draw texts differently. */
export const BASELINE_CHROMIUM = '156'
/** Of the difference between black and white. */
const COLOUR_TOLERANCE = 0.03
const MAX_PIXELS = 40
/** Data that other programs write may take longer than the text for which the drill waits. */
const SETTLE_MS = 30_000
const POLL_MS = 500

/**
 * Content that depends on the time. All ages are the same, and there are no charts. The editor places
 * line numbers before or after its styles are there.
 */
const UNSTEADY = `
  time { font-size: 0 !important }
  time::after { content: '5m'; font-size: 12px }
  [role=log], [role=img], .cm-gutters { visibility: hidden !important }
  section:has([aria-label^='Range of']) { display: none !important }
`

/**
 * Compares what a window shows with its baseline until both are equal. Returns the difference that
 * stays, or null. Without a baseline, it writes one for review.
 */
export async function compareScreenshot(
  page: Page,
  title: string,
  hidden: string,
): Promise<string | null> {
  const file = `${BASELINES}${title}.png`
  const baseline = await readFile(file).catch(() => null)
  await hideUnsteady(page, hidden)
  try {
    if (baseline !== null) return await untilEqual(page, title, PNG.sync.read(baseline))
    await writeFile(file, await steadyScreenshot(page))
    return `${title} had no baseline: review the new one`
  } finally {
    await page.evaluate('document.adoptedStyleSheets = []')
  }
}

/**
 * The policy of the page allows no style elements, but sheets of scripts. Hidden texts take no space,
 * because they can be longer on another machine.
 */
async function hideUnsteady(page: Page, hidden: string): Promise<void> {
  const rule = '{ visibility: hidden !important; font-size: 0 !important }'
  const style = hidden === '' ? UNSTEADY : `${UNSTEADY} ${hidden} ${rule}`
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(style)})
    document.adoptedStyleSheets = [sheet]
  }`)
}

async function untilEqual(page: Page, title: string, expected: PNG): Promise<string | null> {
  const end = performance.now() + SETTLE_MS
  for (;;) {
    const screenshot = await page.screenshot({ animations: 'disabled' })
    const actual = PNG.sync.read(screenshot)
    const pixels = countDifferent(expected, actual, null)
    if (pixels <= MAX_PIXELS) return null
    if (performance.now() >= end) {
      const picture = new PNG({ width: expected.width, height: expected.height })
      countDifferent(expected, actual, picture)
      await writeFile(`${RESULTS}${title}-actual.png`, screenshot)
      await writeFile(`${RESULTS}${title}-difference.png`, PNG.sync.write(picture))
      return `${title} differs from its baseline in ${pixels} pixels`
    }
    await page.waitForTimeout(POLL_MS)
  }
}

/** A screenshot that equals the one before it. */
async function steadyScreenshot(page: Page): Promise<Buffer> {
  const end = performance.now() + SETTLE_MS
  let last = await page.screenshot({ animations: 'disabled' })
  for (;;) {
    await page.waitForTimeout(2 * POLL_MS)
    const next = await page.screenshot({ animations: 'disabled' })
    if (next.equals(last) || performance.now() > end) return next
    last = next
  }
}

/** The number of different pixels, which a picture marks. */
function countDifferent(expected: PNG, actual: PNG, picture: PNG | null): number {
  const { width, height } = expected
  if (width !== actual.width || height !== actual.height) return width * height
  return pixelmatch(expected.data, actual.data, picture?.data, width, height, {
    threshold: COLOUR_TOLERANCE,
    includeAA: true,
  })
}
