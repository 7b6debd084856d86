import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../servers/root.ts'
import { plotsOf } from './plots.ts'
import { reportOf } from './report.ts'
import type { Results } from './results.ts'

const FOLDER = path.join(ROOT, 'docs/performance')

/** Writes figures, tables and plots to docs/performance/, under the name of the scenario. */
export function publish(scenario: string, results: Results): void {
  mkdirSync(FOLDER, { recursive: true })
  writeJson(path.join(FOLDER, `${scenario}.json`), results)
  const plots = plotsOf(results)
  const images = [...plots.keys()].map((name) => `![${name.replace('.svg', '')}](${name})`)
  const page = [`# Results: ${scenario}`, reportOf(results).trimEnd(), ...images].join('\n\n')
  writeFileSync(path.join(FOLDER, `${scenario}.md`), `${page}\n`)
  for (const [name, plot] of plots) writeFileSync(path.join(FOLDER, name), plot)
}

export function writeJson(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
