import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Finding {
  readonly id: string
  readonly impact: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const RUN = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, impact, help, nodes }) => ({
    id, impact, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
  })))`

/** Throws if axe has findings of WCAG 2.2 AA or its best practices. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  // The devtools protocol evaluates the script, so the page's policy does not apply to it.
  await page.evaluate(AXE)
  const findings: readonly Finding[] = await page.evaluate(RUN)
  assert.deepEqual(findings.map(describe), [], `axe has findings on ${name}`)
}

function describe({ id, impact, help, nodes }: Finding): string {
  const where = nodes
    .slice(0, 3)
    .map(({ html, failureSummary }) => `${html.slice(0, 200)} -> ${failureSummary}`)
  return `${id} (${impact}): ${help}, ${nodes.length} elements: ${where.join(' | ')}`
}
